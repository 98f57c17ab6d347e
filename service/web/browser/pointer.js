// Whether the page is used by touch in the first place, which only words things differently.
export const touch = matchMedia('(pointer: coarse)').matches;
