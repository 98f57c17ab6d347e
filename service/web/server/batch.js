// Several screenshots with one look: the finished pictures in a ZIP.
import { blobOf, send } from './api.js';
import { fileName } from './download.js';
import { zip } from './zip.js';
import { signal } from '../html.js';
import { settings } from '../state/store.js';

const TRIES = 8; // of a picture that the server has no time for
const WAIT_S = 3; // where it does not say for how long

/** `{done, count, name, waiting}` while pictures are made, or null. */
export const batch = signal(null);
/** What the last pictures failed for, `{name, message}`; kept here, as the panel may be closed before they are done. */
export const failures = signal([]);
let stopped = false;
let wake = () => {}; // ends a wait

export function stopBatch() {
  stopped = true;
  wake();
}

/** Makes a picture of each file with the present settings; gives their archive, or null if there is none. */
export async function makeBatch(files) {
  const all = settings.peek();
  const made = [];
  failures.value = [];
  stopped = false;
  try {
    for (const [done, file] of files.entries()) {
      if (stopped) break;
      batch.value = { done, count: files.length, name: file.name };
      try {
        const blob = await patiently(() => render(file, all));
        made.push({ name: unused(fileName(file.name, blob.type), made), bytes: new Uint8Array(await blob.arrayBuffer()) });
      } catch (error) {
        if (stopped) break;
        failures.value = [...failures.peek(), { name: file.name, message: error.details?.[0]?.message ?? error.message }];
      }
    }
  } finally {
    batch.value = null;
  }
  return made.length ? zip(made) : null;
}

async function render(file, all) {
  const headers = { 'Content-Type': file.type || 'application/octet-stream' };
  const { id } = await (await send('POST', '/api/v1/screenshots', { body: file, headers })).json();
  try {
    const json = { type: 'screenshot', screenshot: { type: 'upload', src: id }, settings: all };
    return await blobOf(await send('POST', '/api/v1/mockup?output=raw', { json }));
  } finally {
    await send('DELETE', `/api/v1/screenshots/${id}`).catch(() => {}); // it expires by itself
  }
}

async function patiently(action) {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await action();
    } catch (error) {
      if (![0, 429, 503].includes(error.status) || left <= 1 || stopped) throw error;
      const seconds = error.retryAfter ?? WAIT_S;
      batch.value = { ...batch.peek(), waiting: seconds };
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, seconds * 1000);
      });
      if (stopped) throw error;
      batch.value = { ...batch.peek(), waiting: 0 };
    }
  }
}

// Two screenshots of different folders may have one name.
function unused(name, made) {
  const taken = new Set(made.map((one) => one.name));
  let number = 1;
  let free = name;
  while (taken.has(free)) free = name.replace(/(\.\w+)$/, `-${(number += 1)}$1`);
  return free;
}
