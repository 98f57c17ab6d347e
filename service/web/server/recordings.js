// The recording of a film: uploaded once, kept in this browser, and sent again when the server no longer has it.
import { send } from './api.js';
import { load, save } from '../browser/database.js';
import { recording } from '../state/film.js';

const MARGIN_MS = 60_000; // an upload that expires this soon is sent again

/** Makes a film file the recording; raises `Failure`. */
export async function takeRecording(blob, name) {
  recording.value = { ...(await post(blob)), name, blob };
  save('session', 'recording', recording.peek());
}

export function leaveRecording() {
  recording.value = null;
  save('session', 'recording', null);
}

export async function restoreRecording() {
  recording.value = (await load('session', 'recording')) ?? null;
}

/** The recording as a request's source, uploaded again if need be, or null. */
export async function recordingSource() {
  const kept = recording.peek();
  if (!kept) return null;
  if (Date.parse(kept.expiresAt) - Date.now() < MARGIN_MS) await takeRecording(kept.blob, kept.name);
  return { type: 'upload', src: recording.peek().id };
}

async function post(blob) {
  const headers = { 'Content-Type': blob.type || 'video/mp4' };
  const { id, width, height, durationMs, fps, expiresAt } = await (await send('POST', '/api/v1/recordings', { body: blob, headers })).json();
  return { id, width, height, durationMs, fps, expiresAt };
}
