// The recordings of a film: uploaded once, kept in this browser, and sent again when the server no longer has them.
import { send } from './api.js';
import { load, save, update } from '../browser/database.js';
import { newId } from '../browser/identifier.js';
import { computed, effect } from '../html.js';
import { changeShown, ownRecordings, recording } from '../state/film.js';
import { devices } from '../state/store.js';

const MARGIN_MS = 60_000; // an upload that expires this soon is sent again
const KEPT_MS = 7 * 86_400_000; // a recording of another tab is removed this long after its last use, as a closed tab cannot remove it
const renewals = new Map(); // promises of repeated uploads, by file

/** Makes a film file the recording; raises `Failure`. */
export async function takeRecording(blob, name) {
  keep({ ...(await post(blob)), name, blob });
}

/**
 * Makes a film file the recording of one device of the scene; raises `Failure`. The device has the key from the start, so
 * that the recording becomes that device's even if devices are moved or removed during the upload.
 */
export async function takeOwnRecording(place, blob, name) {
  const key = newId();
  const { recording: before, screenshot } = devices.peek()[place].shows ?? {};
  changeShown(place, { recording: key, screenshot: undefined });
  try {
    keepOwn(key, { ...(await post(blob)), name, blob });
  } catch (error) {
    devices.peek().forEach(({ shows }, at) => shows?.recording === key && changeShown(at, { recording: before, screenshot }));
    throw error;
  }
}

export function leaveRecording() {
  keep(null);
}

export async function restoreRecordings() {
  recording.value = (await load('session', 'recording')) ?? null;
  ownRecordings.value = (await load('session', 'recordings')) ?? {};
}

/**
 * Stores the recordings that devices show, beside those of other tabs. Recordings that no device shows are not stored, so
 * undo can bring them back only until the user leaves the page.
 */
export function keepRecordings() {
  const shown = computed(() => [...new Set(devices.value.map(({ shows }) => shows?.recording))].sort().join());
  let before = [];
  effect(() => {
    const [keys, all] = [shown.value.split(',').filter(Boolean), ownRecordings.value];
    const left = before.filter((key) => !keys.includes(key));
    before = keys;
    if (!keys.length && !left.length) return;
    const own = keys.filter((key) => all[key]).map((key) => [key, { ...all[key], used: Date.now() }]);
    const others = (found = {}) => Object.entries(found).filter(([key, { used }]) => !left.includes(key) && Date.now() - used < KEPT_MS);
    update('session', 'recordings', (found) => Object.fromEntries([...others(found), ...own]));
  });
}

/** The recording as a request's source, uploaded again if need be, or null. */
export const recordingSource = () => sourceOf(recording.peek(), (next) => recording.peek()?.blob === next.blob && keep(next));

/** The recording of its own that a device shows, as a request's source; null if it shows another. */
export async function ownSource({ recording: key, screenshot: _, ...playback }) {
  const source = await sourceOf(ownRecordings.peek()[key], (next) => keepOwn(key, next));
  return source && { ...playback, ...source };
}

async function sourceOf(kept, renew) {
  if (!kept) return null;
  if (Date.parse(kept.expiresAt) - Date.now() >= MARGIN_MS) return { type: 'upload', src: kept.id };
  if (!renewals.has(kept.blob)) {
    const renewal = post(kept.blob).then((sent) => (renew({ ...kept, ...sent }), sent.id));
    renewals.set(kept.blob, renewal.finally(() => renewals.delete(kept.blob)));
  }
  return { type: 'upload', src: await renewals.get(kept.blob) };
}

function keep(next) {
  recording.value = next;
  save('session', 'recording', next);
}

function keepOwn(key, next) {
  ownRecordings.value = { ...ownRecordings.peek(), [key]: next };
}

async function post(blob) {
  const headers = { 'Content-Type': blob.type || 'video/mp4' };
  const { id, width, height, durationMs, fps, expiresAt } = await (await send('POST', '/api/v1/recordings', { body: blob, headers })).json();
  return { id, width, height, durationMs, fps, expiresAt };
}
