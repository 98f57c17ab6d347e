// The finished picture, in full size: to a file or the clipboard.
import { exactPicture } from './exact.js';
import { signal } from '../html.js';
import { ending, present } from '../state/picture.js';
import { faults, faultsOf, toast } from '../state/status.js';
import { screenshots } from '../state/store.js';

/** Whether a full picture is being made. */
export const making = signal(false);

export async function downloadPicture() {
  const made = await make({});
  if (!made) return;
  saveFile(made, fileName(screenshots.peek()[0]?.name ?? 'sample', made.type));
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  toast(`${name} saved`, 'success');
}

/** The screenshot's name without its ending, `-mockup`, and the ending of a picture of this media type. */
export function fileName(name, type) {
  return `${name.replace(/\.[a-z0-9]+$/i, '')}-mockup.${ending(type.split('/')[1])}`;
}

export async function copyPicture() {
  // The clipboard takes only PNG, and only shortly after a click. So it is given a promise at once.
  const made = make({ format: 'png' });
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': made.then((blob) => blob ?? Promise.reject(new Error())) })]);
    toast('Picture copied', 'success');
  } catch {
    if (await made) toast('This browser does not let the page copy pictures; download it instead', 'error');
  }
}

async function make(format) {
  if (making.peek()) return null;
  making.value = true;
  try {
    const { settings: all, ...of } = present.peek();
    const wanted = Object.keys(format).length ? { ...all, export: { ...all.export, ...format } } : all;
    return await exactPicture({ ...of, settings: wanted });
  } catch (error) {
    faults.value = faultsOf(error.details ?? []);
    toast(error.message, 'error', 8000);
    return null;
  } finally {
    making.value = false;
  }
}
