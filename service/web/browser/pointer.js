// Whether touch is the main way of using the page. Only the wording depends on it.
export const touch = matchMedia('(pointer: coarse)').matches;
