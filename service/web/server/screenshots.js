// Screenshots: taken from files, the clipboard or an address, uploaded once, and sent again silently when they expire.
import { send } from './api.js';
import { load, save } from '../browser/database.js';
import { newId } from '../browser/identifier.js';
import { effect } from '../html.js';
import { usualShot } from '../state/set.js';
import { current, replaceScreenshot, screenshots, set } from '../state/store.js';

const MARGIN_MS = 60_000; // an upload that expires this soon is sent again
const uploads = new Map(); // by screenshot id, the server's `{id, expiresAt, width, height}`, or a promise of it

/** A picture file as a screenshot; throws an error with a readable message if it is not a picture. */
export async function shotOf(blob, name = 'screenshot') {
  const size = await measure(blob);
  if (!size && !/^image\//.test(blob.type)) throw new Error(`${name} is not a picture`);
  return { id: newId(), name, blob, width: size?.width ?? 0, height: size?.height ?? 0 };
}

/** Makes a picture file the screenshot; throws an error with a readable message if it is not a picture. */
export async function take(blob, name = 'screenshot') {
  replaceScreenshot(await shotOf(blob, name));
}

/** Has the server fetch a picture by its address, and makes it the screenshot. */
export async function takeAddress(url) {
  const response = await send('POST', '/api/v1/screenshots', { json: { url } });
  const { id, expiresAt, width, height } = await response.json();
  const taken = { id: newId(), name: nameOf(url), url, width, height };
  uploads.set(taken.id, { id, expiresAt });
  replaceScreenshot(taken);
}

/**
 * Removes the screenshot. The first locale then shows the sample, and other locales the screenshot of the first.
 */
export function leaveScreenshot() {
  replaceScreenshot(usualShot(current.peek()) ?? null);
}

/**
 * Calls `action` with the sources of screenshots for a request: `{type, src}` of their uploads, undefined where there
 * is no screenshot. If the server no longer has the uploads, makes new ones and calls it again.
 */
export async function withUploads(taken, action) {
  const attempt = async () => action(await Promise.all(taken.map(async (one) => (one ? { type: 'upload', src: await uploadOf(one) } : undefined))));
  try {
    return await attempt();
  } catch (error) {
    const expired = error.status === 400 && error.details.some(({ path }) => /^(devices\[\d+\]\.)?screenshot\.src$/.test(path));
    if (!expired) throw error;
    for (const one of taken) uploads.delete(one?.id);
    return attempt();
  }
}

// The id of a screenshot's upload; the screenshot is uploaded first if necessary.
async function uploadOf(taken) {
  const known = await uploads.get(taken.id);
  if (known && Date.parse(known.expiresAt) - Date.now() > MARGIN_MS) return known.id;
  const sending = post(taken);
  uploads.set(taken.id, sending);
  try {
    const upload = await sending;
    uploads.set(taken.id, upload);
    keep();
    return upload.id;
  } catch (error) {
    uploads.delete(taken.id);
    throw error;
  }
}

/** Brings back the screenshots of the last visit. */
export async function restoreScreenshots() {
  const kept = await load('session', 'screenshots');
  if (!kept?.some(Boolean)) return;
  for (const { id, upload } of kept.filter((one) => one?.upload)) uploads.set(id, upload);
  screenshots.value = kept.map((one) => {
    if (!one) return null;
    const { upload, ...taken } = one;
    return taken;
  });
}

/** Gives the screens of a set the screenshots of the last visit, by their places. */
export async function restoreScreens() {
  const kept = (await load('session', 'set')) ?? [];
  const of = set.peek();
  if (of.screens.length) set.value = { ...of, screens: of.screens.map((one, at) => ({ ...one, ...kept[at] })) };
}

export function keepScreenshots() {
  effect(() => keep(screenshots.value));
  effect(() => save('session', 'set', set.value.screens.map(({ name: _, captions: __, ...shots }) => shots)));
}

function keep(list = screenshots.peek()) {
  const uploaded = (id) => (uploads.get(id) instanceof Promise ? null : uploads.get(id));
  save('session', 'screenshots', list.map((taken) => taken && { ...taken, upload: uploaded(taken.id) }));
}

async function post({ blob, url, name }) {
  const options = url
    ? { json: { url } }
    : { body: blob, headers: { 'Content-Type': blob.type || 'application/octet-stream' } };
  const upload = await (await send('POST', '/api/v1/screenshots', options)).json();
  return { id: upload.id, expiresAt: upload.expiresAt, name };
}

async function measure(blob) {
  try {
    const bitmap = await createImageBitmap(blob);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return null; // a format that the browser cannot read, but perhaps the server
  }
}

function nameOf(address) {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split('/').at(-1);
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last; // a literal percent sign
  }
}
