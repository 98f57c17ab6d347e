// Where screenshots come from: dropped on the page, pasted, chosen, or by their address.
import { chooseFiles } from '../browser/files.js';
import { signal } from '../html.js';
import { Failure } from '../server/api.js';
import { take, takeAddress } from '../server/screenshots.js';
import { requestIn, settingsOfPicture } from '../snippets/reading.js';
import { toast } from '../state/status.js';
import { replaceRequest } from '../state/store.js';

/** Whether a file is being dragged over the page. */
export const hovering = signal(false);

/** Takes the first picture among files; says so if there is none. */
async function takeFiles(files) {
  const file = [...files].find((one) => one.type.startsWith('image/')) ?? files[0];
  if (!file) return;
  try {
    const found = await settingsOfPicture(file);
    if (found) return takeRequested({ settings: found }, 'the picture');
    await take(file, file.name || 'pasted');
  } catch (error) {
    toast(error.message, 'error');
  }
}

/** Takes a picture by its address; gives the message of an error, or an empty text. */
export async function takeText(text) {
  try {
    await takeAddress(text);
    return '';
  } catch (error) {
    return error instanceof Failure ? (error.details[0]?.message ?? error.message) : 'is not an address';
  }
}

export const chooseFile = () => chooseFiles('image/*', takeFiles);

export async function pasteFromClipboard() {
  try {
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((one) => one.startsWith('image/'));
      if (type) return await take(await item.getType(type), 'pasted');
    }
    toast('There is no picture in the clipboard');
  } catch {
    toast('Press Ctrl V to paste a picture');
  }
}

/** Takes settings and devices out of a request, such as a curl line; tells whether there were any. */
export function takeRequest(text) {
  const found = requestIn(text);
  if (found) takeRequested(found, 'the request');
  return found !== null;
}

function takeRequested(found, source) {
  replaceRequest(found);
  toast(`Settings taken from ${source}`, 'success');
}

async function takePasted(text) {
  if (/^https?:\/\/\S+$/.test(text)) await takeAnnounced(text);
  else if (text) takeRequest(text);
}

async function takeAnnounced(address) {
  const fault = await takeText(address);
  if (fault) toast(`${address} ${fault}`, 'error');
}

/** Listens for drops and pastes anywhere on the page; gives a function that ends it. */
export function listenForSources() {
  let depth = 0;
  const carries = (event) => event.dataTransfer?.types.some((type) => type === 'Files' || type === 'text/uri-list');
  const listeners = {
    dragenter: (event) => {
      if (carries(event)) hovering.value = ++depth > 0;
    },
    dragleave: (event) => {
      if (carries(event)) hovering.value = --depth > 0;
    },
    dragover: (event) => carries(event) && event.preventDefault(),
    drop: (event) => {
      depth = 0;
      hovering.value = false;
      if (!carries(event)) return;
      event.preventDefault();
      const { files } = event.dataTransfer;
      if (files.length) takeFiles(files);
      else takeAnnounced(event.dataTransfer.getData('URL')); // of several URLs, the first
    },
    paste: (event) => {
      if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
      const { files } = event.clipboardData;
      if (files.length) takeFiles(files);
      else takePasted(event.clipboardData.getData('text/plain').trim());
    },
  };
  for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
  };
}
