// The browser's own dialog for files.

/** Asks for files of these media types, and calls `take` with what was chosen, if anything was. */
export function chooseFiles(accept, take, { multiple = false } = {}) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple });
  input.onchange = () => input.files.length && take([...input.files]);
  input.click();
}
