// The browser's own dialog for files.

/** Lets the user choose files of these media types, and calls `take` with the files unless none was chosen. */
export function chooseFiles(accept, take, { multiple = false } = {}) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple });
  input.onchange = () => input.files.length && take([...input.files]);
  input.click();
}
