// Several screenshots, each with the present settings on a device of its own: the finished pictures in a ZIP.
import { blobOf, send, warningsOf } from './api.js';
import { deviceOf } from './catalogue.js';
import { fileName } from './download.js';
import { patient } from './patience.js';
import { zip } from './zip.js';
import { newId } from '../browser/identifier.js';
import { signal } from '../html.js';
import { onDevice } from '../state/finish.js';
import { settings } from '../state/store.js';


/**
 * The pictures to make: `{id, file, device, state, message, warnings}`. `device` is undefined for that on the stage,
 * `state` is `waiting`, `working`, `made` or `failed`, and `message` says why it failed.
 */
export const jobs = signal([]);
/** `{done, count, waiting}` while pictures are made, or null; `waiting` are seconds until the server is asked again. */
export const batch = signal(null);
let asker = null;

export function addJobs(files) {
  jobs.value = [...jobs.peek(), ...[...files].map((file) => ({ id: newId(), file, device: undefined, ...FRESH }))];
}

export function removeJob(id) {
  jobs.value = jobs.peek().filter((job) => job.id !== id);
}

export function clearJobs() {
  jobs.value = [];
}

/** Puts a screenshot on another device, and removes the messages about its picture. */
export function setDevice(id, device) {
  alter(id, { device, ...FRESH });
}

export function stopBatch() {
  asker?.stop();
}

/** Makes a picture of each screenshot; gives their archive, or null if there is none. */
export async function makeBatch() {
  const all = settings.peek();
  const list = jobs.peek();
  const made = [];
  asker = patient((waiting) => (batch.value = { ...batch.peek(), waiting }));
  list.forEach(({ id }) => alter(id, FRESH));
  try {
    for (const [done, { id, file, device }] of list.entries()) {
      if (asker.stopped) break;
      batch.value = { done, count: list.length, waiting: 0 };
      alter(id, { state: 'working' });
      try {
        const wanted = device === undefined ? all : onDevice(all, device, deviceOf(device));
        const { blob, warnings } = await asker.run(() => render(file, wanted));
        made.push({ name: unused(fileName(file.name, blob.type), made), bytes: new Uint8Array(await blob.arrayBuffer()) });
        alter(id, { state: 'made', warnings });
      } catch (error) {
        alter(id, asker.stopped ? FRESH : { state: 'failed', message: error.details?.[0]?.message ?? error.message });
      }
    }
  } finally {
    batch.value = null;
  }
  return made.length ? zip(made) : null;
}

const FRESH = { state: 'waiting', message: '', warnings: [] };

function alter(id, changes) {
  jobs.value = jobs.peek().map((job) => (job.id === id ? { ...job, ...changes } : job));
}

async function render(file, all) {
  const headers = { 'Content-Type': file.type || 'application/octet-stream' };
  const { id } = await (await send('POST', '/api/v1/screenshots', { body: file, headers })).json();
  try {
    const json = { type: 'screenshot', screenshot: { type: 'upload', src: id }, settings: all };
    const response = await send('POST', '/api/v1/mockup?output=raw', { json });
    return { blob: await blobOf(response), warnings: warningsOf(response) };
  } finally {
    await send('DELETE', `/api/v1/screenshots/${id}`).catch(() => {}); // after a failure, the upload expires anyway
  }
}
// Screenshots from different folders may have the same name.
function unused(name, made) {
  const taken = new Set(made.map((one) => one.name));
  let number = 1;
  let free = name;
  while (taken.has(free)) free = name.replace(/(\.\w+)$/, `-${(number += 1)}$1`);
  return free;
}
