// Whether touch is the main way of using the page. It only affects the wording of texts.
export const touch = matchMedia('(pointer: coarse)').matches;
