// Films: single frames for the time line, the latest request first; and the whole file, made in the background.
import { blobOf, send } from './api.js';
import { shotsOf } from './exact.js';
import { withUploads } from './screenshots.js';
import { ownSource, recordingSource } from './recordings.js';
import { saveFile } from './download.js';
import { computed, effect, signal } from '../html.js';
import { filmBody, keyframes, ownRecordings, posed, recording, shownByEach, smaller, time } from '../state/film.js';
import { canvasSize, present } from '../state/picture.js';
import { listed } from '../state/scene.js';
import { film, gesturing, settings } from '../state/store.js';

const PIXELS = 230_400; // number of pixels of a still
const AT_ONCE = 8; // the most stills in a request
const REST_MS = 250; // the pause in changes after which stills are requested
const LOOK_MS = 1000; // interval of requests for the film's progress
const RETRY_MS = 1500;
const NOTHING = { id: null }; // stands for the screenshot of a device that shows a recording

/** Addresses of stills of the present film, by time in s. */
export const stills = signal({});
/** The server's messages about the film's settings, by path. */
export const filmFaults = signal({});
/** The film that is being made: `{id, status, frame, frames, etaMs}`, or null. */
export const job = signal(null);

// The request that stills are made from.
const subject = computed(() => JSON.stringify([film.value, present.value.settings, present.value.devices, present.value.screenshots.map((one) => one?.id), recording.value?.id, shownByEach.value.map((one) => [one, ownRecordings.value[one.recording]?.id])]));

let wanted = []; // times
let asking = false;
let made = null;
let timer = 0;

/** Keeps the still of the shown time up to date. */
export function followTime() {
  let before = {};
  effect(() => {
    const now = { at: time.value, pose: settings.value.deviceTransform };
    if (now.at !== before.at) posed.value = false;
    else if (now.at !== null && now.pose !== before.pose && keyframes().length) posed.value = true;
    before = now;
  });
  effect(() => {
    const [of, at, busy] = [subject.value, time.value, gesturing.value];
    if (of !== made) forget();
    clearTimeout(timer);
    if (at !== null && !busy) timer = setTimeout(() => want([at]), made === null ? REST_MS : 0);
  });
}

/** Asks for stills; the latest requests are served first. */
export function want(times) {
  wanted = [...times, ...wanted].filter((at, place, all) => stills.peek()[at] === undefined && all.indexOf(at) === place);
  pump();
}

export function forgetWanted() {
  wanted = [];
}

function forget() {
  Object.values(stills.peek()).forEach(URL.revokeObjectURL);
  stills.value = {};
  wanted = [];
  made = null;
}

async function pump() {
  if (asking || !wanted.length) return;
  asking = true;
  const times = wanted.splice(0, AT_ONCE);
  const own = subject.peek();
  try {
    const images = await ask(times);
    if (own === subject.peek()) {
      made = own;
      const more = images.map(({ data }, at) => [times[at], URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type: 'image/png' }))]);
      stills.value = { ...stills.peek(), ...Object.fromEntries(more) };
      filmFaults.value = {};
    }
  } catch (error) {
    if (error.status === 400) filmFaults.value = faultsOf(error);
    else {
      wanted = [...times, ...wanted];
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 0) * 1000 || RETRY_MS));
    }
  }
  asking = false;
  pump();
}

const faultsOf = ({ details, message }) => (details.length ? listed(Object.fromEntries(details.map((one) => [one.path, one.message])), present.peek()) : { '': message });

async function ask(times) {
  const body = await bodyWith(smaller(present.peek().settings, canvasSize.peek(), PIXELS));
  const { images } = await (await body((json) => send('POST', '/api/v1/films/frames', { json: { ...json, fast: true, times } }))).json();
  return images;
}

// A function that sends the film's body, with its recordings and screenshots.
async function bodyWith(all) {
  const [whole, each, of] = [await recordingSource(), shownByEach.peek(), present.peek()];
  const own = await Promise.all(each.map(ownSource));
  const shots = await shotsOf({ ...of, screenshots: of.screenshots.map((one, at) => (each[at].screenshot ? one : NOTHING)) });
  const wanted = shots.map((one) => (one === NOTHING ? null : one));
  return (post) => withUploads(wanted, (sources) => post(filmBody(film.peek(), all, whole ? { recording: whole } : { screenshot: sources[0] }, of.devices.map((device, at) => withOwn(device, own[at], sources[at])))));
}

const withOwn = (device, recordingOf, screenshot) => ({ ...device, ...(recordingOf ? { recording: recordingOf } : screenshot && { screenshot }) });

/** Has the film made, and downloads its file. */
export async function exportFilm() {
  filmFaults.value = {};
  try {
    const { export: _, ...bare } = present.peek().settings;
    const body = await bodyWith(bare);
    job.value = await (await body((json) => send('POST', '/api/v1/films', { json }))).json();
    const done = await finished(job.peek().id);
    if (done) saveFile(await blobOf(await send('GET', done.result.url)), `film.${endingOf(done.result.mimeType)}`);
  } catch (error) {
    filmFaults.value = error.details ? faultsOf(error) : { '': String(error) };
  } finally {
    job.value = null;
  }
}

async function finished(id) {
  while (job.peek()) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (!job.peek()) return null;
    const now = await (await send('GET', `/api/v1/films/${id}`)).json();
    if (!job.peek()) return null;
    job.value = now;
    if (now.status === 'done') return now;
    if (now.status === 'failed') {
      filmFaults.value = faultsOf({ details: now.error?.details ?? [], message: now.error?.message ?? 'The film could not be made' });
      return null;
    }
  }
  return null;
}

export async function cancelFilm() {
  const { id } = job.peek();
  job.value = null;
  await send('DELETE', `/api/v1/films/${id}`).catch(() => {}); // after a failure, the film is still finished and then expires
}

const ENDINGS = { 'video/mp4': 'mp4', 'video/webm': 'webm', 'video/quicktime': 'mov', 'image/gif': 'gif', 'image/webp': 'webp', 'image/apng': 'png', 'image/png': 'png', 'application/zip': 'zip' };
const endingOf = (mime) => ENDINGS[mime] ?? 'bin';
