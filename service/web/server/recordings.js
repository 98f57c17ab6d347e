// The recordings of a film: uploaded once, kept in this browser, and sent again when the server no longer has them.
import { send } from './api.js';
import { load, save } from '../browser/database.js';
import { newId } from '../browser/identifier.js';
import { changeShown, ownRecordings, recording } from '../state/film.js';
import { devices } from '../state/store.js';

const MARGIN_MS = 60_000; // an upload that expires this soon is sent again

/** Makes a film file the recording; raises `Failure`. */
export async function takeRecording(blob, name) {
  keep({ ...(await post(blob)), name, blob });
}

/** Makes a film file the recording of one device of the scene; raises `Failure`. */
export async function takeOwnRecording(place, blob, name) {
  const taken = { ...(await post(blob)), name, blob };
  const key = newId();
  keepOwn(key, taken);
  changeShown(place, { recording: key, screenshot: undefined });
}

export function leaveRecording() {
  keep(null);
}

export async function restoreRecordings() {
  recording.value = (await load('session', 'recording')) ?? null;
  ownRecordings.value = (await load('session', 'recordings')) ?? {};
}

/** The recording as a request's source, uploaded again if need be, or null. */
export const recordingSource = () => sourceOf(recording.peek(), keep);

/** The recording of its own that a device shows, as a request's source; null if it shows another. */
export async function ownSource({ recording: key, screenshot: _, ...playback }) {
  const source = await sourceOf(ownRecordings.peek()[key], (next) => keepOwn(key, next));
  return source && { ...playback, ...source };
}

async function sourceOf(kept, renew) {
  if (!kept) return null;
  if (Date.parse(kept.expiresAt) - Date.now() >= MARGIN_MS) return { type: 'upload', src: kept.id };
  const sent = await post(kept.blob);
  renew({ ...kept, ...sent });
  return { type: 'upload', src: sent.id };
}

function keep(next) {
  recording.value = next;
  save('session', 'recording', next);
}

// Those that no device shows are left out of what is kept, but stay until the page is left, so that undo can bring them back.
function keepOwn(key, next) {
  const all = (ownRecordings.value = { ...ownRecordings.peek(), [key]: next });
  const shown = new Set([key, ...devices.peek().map(({ shows }) => shows?.recording)]);
  save('session', 'recordings', Object.fromEntries(Object.entries(all).filter(([one]) => shown.has(one))));
}

async function post(blob) {
  const headers = { 'Content-Type': blob.type || 'video/mp4' };
  const { id, width, height, durationMs, fps, expiresAt } = await (await send('POST', '/api/v1/recordings', { body: blob, headers })).json();
  return { id, width, height, durationMs, fps, expiresAt };
}
