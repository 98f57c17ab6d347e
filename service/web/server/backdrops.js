// Pictures behind the devices. Like screenshots, they are uploaded, kept in this browser, and sent again when
// they expire.
import { send } from './api.js';
import { load, save } from '../browser/database.js';
import { effect, signal } from '../html.js';
import { faults } from '../state/status.js';
import { change, value } from '../state/store.js';

const IMAGE = 'appearance.backgroundImage';

/** The last picture that was taken, `{id, name, blob}`; `id` is that of its upload. */
export const backdrop = signal(null);

/** Makes a picture file the background. */
export async function takeBackdrop(blob, name) {
  const id = await upload(blob);
  backdrop.value = { id, name, blob };
  save('session', 'backdrop', backdrop.peek());
  change({ [`${IMAGE}.type`]: 'upload', [`${IMAGE}.src`]: id }, null);
}

/** Brings back the picture of the last visit, and sends it again whenever the server no longer has it. */
export async function keepBackdrop() {
  backdrop.value = (await load('session', 'backdrop')) ?? null;
  effect(() => {
    const kept = backdrop.value;
    if (faults.value[`${IMAGE}.src`] && kept && value(`${IMAGE}.src`) === kept.id) takeBackdrop(kept.blob, kept.name).catch(() => {});
  });
}

async function upload(blob) {
  const headers = { 'Content-Type': blob.type || 'application/octet-stream' };
  return (await (await send('POST', '/api/v1/screenshots', { body: blob, headers })).json()).id;
}
