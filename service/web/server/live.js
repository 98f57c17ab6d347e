// The live picture: the latest settings win, and no preview is aborted. Each preview is requested so early that
// it arrives when the server has finished the previous one. During a gesture, previews are only as large as the
// round trip allows; afterwards, the picture is made as large as it is shown.
import { batch, effect, signal } from '../html.js';
import { isAccelerated } from '../browser/compositing.js';
import { blobOf, Failure, send, stagesOf, warningsOf } from './api.js';
import { pauseAfter } from './pacing.js';
import { withUploads } from './screenshots.js';
import { key } from '../state/key.js';
import { canvasSize, pictureDevices, present } from '../state/picture.js';
import { bodyOf, listed } from '../state/scene.js';
import { announce, faults, faultsOf, status, timing, warnings } from '../state/status.js';
import { typing } from '../state/captions.js';
import { put, renewed } from '../state/paths.js';
import { gesturing, settings } from '../state/store.js';
import { place } from '../state/zoom.js';

const SIZES = [102_400, 129_600, 176_400, 230_400, 360_000, 518_400, 705_600, 921_600]; // px
const AHEAD = 2; // previews in flight while things move: the server renders both at once if it has enough processors
const SHARP = 3; // index of the smallest size for slow servers: smaller plates take hardly less time
const SLOW_MS = 45; // round trips longer than this make pictures smaller
const QUICK_MS = 30; // round trips shorter than this make pictures larger
const LEAST_GAP_MS = 20; // the shortest time between previews: a display hardly shows more than 50 pictures a second
const NO_WAIT_MS = 3; // a preview that waits less than this at the server is rendered at once
const HASTE = 0.95; // factor of the gap after a preview that was rendered at once
const RUN = 3; // number of slow or quick round trips in a row that change the size
const LONG_MS = 100; // pictures that take longer than this are not waited for
const SOON_MS = 50; // input waits no longer than this for the next preview
const REST_MS = 140; // the pause in changes after which the picture is made in the size that it has on the stage
const ENOUGH = 0.98; // share of the pixels shown; a picture with more need not be made again
const MOST = 2_073_600; // px
const LEAST = 16_384;
const TOLD_MS = 250; // ms between the times that are shown during a gesture: nobody reads faster
const RETRY_MS = [1000, 2000, 4000, 8000]; // waits between attempts while the server cannot be reached

/**
 * The last picture: `{bitmap, of, geometry, number, pixels, final, input}`; the stage draws it. `of` is what it shows, and
 * `geometry` where the devices of a scene are in it, as the server tells.
 */
export const picture = signal(null);
/** A moving average of the time from sending to drawing, ms. */
export const roundTrip = signal(0);

// Requests for pictures: `{number, of, input, final}`.
let latest = null; // the last request
let next = null; // the request that is still to be sent
let number = 0;
let shown = 0; // the number of the picture on the stage
let stopped = 0; // the number of the last request that failed; earlier pictures do not change the status
let inFlight = 0;
let previewsInFlight = 0; // of them, those that are not final
let asked = 0; // when the last preview was asked for, `performance.now()` time
let gap = Infinity; // ms between the requests for two previews while the first is under way
let level = SHARP;
let run = 0; // how many round trips in a row were slow (negative) or quick (positive)
let restTimer = 0;
let retryTimer = 0;
let retries = 0;
let inputTime = 0;
let toldAt = -Infinity; // when a time was last shown, `performance.now()` time
let takeInput = () => {};
let lateTimer = 0;
let ready = 0; // when the next preview may be asked for, `performance.now()` time
let readyTimer = 0;

/** Notes the time of the input that causes the next changes, as `performance.now()` gives it. */
export function noteInput(time) {
  inputTime = time;
}

/** Has `take` called just before a picture is requested, so that the changes it makes are in that picture. */
export function beforeAsking(take) {
  takeInput = take;
}

/**
 * Says that input has come. It is taken as the next preview is requested if that is soon, because each change has the
 * page laid out and painted, more often than pictures come; otherwise at once.
 */
export function awaitInput() {
  if (!gesturing.peek() || isSlow() || status.peek().until > Date.now()) return take();
  lateTimer ||= setTimeout(take, SOON_MS);
  pump();
}

function take() {
  clearTimeout(lateTimer);
  lateTimer = 0;
  takeInput();
}

/** Whether pictures take so long that the page shows something else until they come, if that costs hardly anything. */
export const isSlow = () => roundTrip.peek() > LONG_MS && isAccelerated();

/** Follows what is to be drawn, the key and the size from now on. */
export function startLive() {
  effect(() => {
    const of = beingTyped(present.value, typing.value);
    void key.value;
    want({ of });
  });
  effect(() => {
    if (!place.value.width || gesturing.value) return;
    if (picture.peek()) rest();
    else pump();
  });
  addEventListener('online', retry);
}

/** Tries again at once, after an error or a wait. */
export function retry() {
  clearTimeout(retryTimer);
  retries = 0;
  ready = 0;
  // The latest request may be under way already; it need not be sent twice.
  const underWay = inFlight > 0 && stopped < number;
  if (shown < number && !underWay) next ??= latest;
  pump();
}

function want(state) {
  number += 1;
  latest = { ...state, number, input: inputTime, final: false };
  next = latest;
  inputTime = 0;
  clearTimeout(restTimer);
  if (status.peek().until > Date.now()) return;
  if (status.peek().kind === 'settled') status.value = { kind: 'working' };
  pump();
}

// Makes the picture as large as it is shown, unless something changes first.
function rest() {
  clearTimeout(restTimer);
  restTimer = setTimeout(() => {
    // A picture that was refused, or that waits for a retry, is not enlarged.
    if (next || inFlight || gesturing.peek() || shown !== number || status.peek().until > Date.now()) return;
    if (isFinal()) return settled();
    next = { ...latest, final: true, input: 0 };
    pump();
  }, REST_MS);
}

async function pump() {
  const moving = gesturing.peek(); // then there may be input that has not been taken
  if (inFlight >= (moving ? AHEAD : 1) || !(next || moving) || !place.peek().width) return;
  clearTimeout(readyTimer);
  const wait = Math.max(ready, inFlight ? asked + gap : 0) - performance.now();
  if (wait > 0) {
    if (wait < Infinity) readyTimer = setTimeout(goOn, wait);
    return;
  }
  take();
  if (!next) return; // there was no input, or it has been requested by now
  if (!key.peek()) {
    stopped = next.number;
    status.value = { kind: 'unauthorized' };
    return;
  }
  const wanted = next;
  next = null;
  const behind = previewsInFlight > 0;
  inFlight += 1;
  previewsInFlight += !wanted.final;
  if (!timing.peek()) status.value = { kind: 'working' };
  try {
    const answer = await ask(wanted, behind).finally(() => {
      inFlight -= 1;
      previewsInFlight -= !wanted.final;
    });
    retries = 0;
    if (wanted.number >= stopped) endWait(wanted);
    goOn(); // while this picture is decoded
    await show(wanted, answer);
  } catch (error) {
    fail(error instanceof Failure ? error : new Failure(-1, 'PAGE', String(error)), wanted);
    goOn();
  }
}

// The server draws again, so nothing has to wait any longer, and older refused previews no longer matter.
function endWait(drawn) {
  clearTimeout(retryTimer);
  if (next?.number < drawn.number) next = null;
  if (status.peek().until) status.value = { kind: 'working' };
}

function goOn() {
  if (!(status.peek().until > Date.now())) pump();
}

// `behind` says whether another preview is in flight. Only a wait for that depends on the gap between the two.
async function ask(wanted, behind) {
  const began = performance.now();
  const since = began - asked;
  asked = began;
  const pixels = wanted.final ? displayed() : Math.min(SIZES[level], displayed());
  const response = await preview(wanted, pixels);
  const blob = await blobOf(response);
  const told = ['X-Duration-Ms', 'X-Preview-Remaining-Ms', 'X-Preview-Reset-S'].map((name) => Number(response.headers.get(name)));
  const [spent] = told;
  ready = performance.now() + pauseAfter(...told);
  const stages = stagesOf(response);
  const waited = stages.find(({ name }) => name === 'queue')?.time ?? 0;
  // The picture in its full size takes longer than the previews of the next gesture will.
  if (!wanted.final) pace(since, behind ? waited : 0, spent);
  return { began, pixels, response, blob, spent, waited, stages };
}

async function show(wanted, { began, pixels, response, blob, spent, waited, stages }) {
  const bitmap = await createImageBitmap(blob);
  const time = performance.now() - began;
  if (wanted.number < shown) return bitmap.close();
  shown = wanted.number;
  if (!wanted.final) adapt(time, time - spent - waited);
  batch(() => {
    picture.peek()?.bitmap.close();
    picture.value = { bitmap, of: wanted.of, geometry: geometryOf(response), number: shown, pixels, final: wanted.final, input: wanted.input };
    pictureDevices.value = renewed(pictureDevices.peek(), picturedIn(wanted.of, response));
    warnings.value = renewed(warnings.peek(), warningsOf(response));
    if (wanted.number >= stopped) faults.value = renewed(faults.peek(), {});
    if (gesturing.peek() && performance.now() - toldAt < TOLD_MS) return;
    toldAt = performance.now();
    timing.value = {
      roundTrip: Math.round(time),
      server: spent,
      stages,
      width: bitmap.width,
      height: bitmap.height,
    };
  });
  if (wanted.number < stopped) return;
  if (isFinal() && !next && !inFlight) settled();
  else {
    if (status.peek().kind !== 'working') status.value = { kind: 'working' };
    rest();
  }
}

// Whether the picture is as large as it is shown; its place may have grown since it was asked for.
function isFinal() {
  const { final, pixels } = picture.peek();
  return final && pixels >= displayed() * ENOUGH;
}

async function preview({ of, final }, pixels) {
  const all = { ...of, settings: { ...of.settings, export: { quality: final ? 92 : 80 } } };
  const maxPixels = Math.round(Math.min(MOST, Math.max(LEAST, pixels)));
  // High priority, so that thumbnails do not delay the live picture.
  const post = (sources) => send('POST', '/api/v1/previews', { json: { ...bodyOf(all, sources), maxPixels }, priority: 'high' });
  return withUploads(of.screenshots, post);
}

// The page itself shows the caption that is being typed, so the picture goes without it.
function beingTyped(of, at) {
  const hidden = settings.peek().captions?.slice(0, at).filter((one) => one.hidden || one.text === '').length;
  const all = at === null ? of.settings : put(of.settings, `captions[${at - hidden}]`, undefined);
  return at === null ? of : { ...of, settings: all, typed: at };
}

const geometryOf = (response) => [JSON.parse(response.headers.get('X-Mockup-Geometry') ?? '[]')].flat();

// The header names only the first device. Others of a scene are known by their ids, or by the shapes if `auto` chose them.
function picturedIn(of, response) {
  if (!of.devices.length) return [response.headers.get('X-Mockup-Device')];
  const known = [...pictureDevices.peek()];
  of.places.forEach((place, at) => {
    const { device } = of.devices[at];
    if (typeof device === 'string' && device !== 'auto') known[place] = device;
  });
  known[of.places[0]] = response.headers.get('X-Mockup-Device');
  return known;
}

function settled() {
  if (status.peek().kind !== 'settled') {
    status.value = { kind: 'settled' };
    announce('Picture updated');
  }
}

// After a preview that waited, the gap approaches the time after which it would not have waited, by a quarter;
// after one that did not, it shrinks by 5 %.
function pace(since, waited, spent) {
  let next = spent; // at first
  if (gap < Infinity) next = waited > NO_WAIT_MS ? (3 * Math.min(gap, since) + since + waited) / 4 : gap * HASTE;
  gap = Math.max(LEAST_GAP_MS, Math.min(2 * spent, Math.max(spent / AHEAD, next)));
}

// `outside` is the part of a round trip that was not spent at the server: on a slow network, every byte counts.
function adapt(time, outside) {
  roundTrip.value = roundTrip.peek() ? roundTrip.peek() * 0.7 + time * 0.3 : time;
  if (time > SLOW_MS) run = Math.min(0, run) - 1;
  else if (time < QUICK_MS) run = Math.max(0, run) + 1;
  else run = 0;
  if (Math.abs(run) < RUN) return;
  level = Math.min(SIZES.length - 1, Math.max(outside > SLOW_MS ? 0 : SHARP, level + Math.sign(run)));
  run = 0;
}

function fail(error, wanted) {
  const again = (delay) => {
    if (!(next?.number >= wanted.number)) next = wanted; // of two refused pictures, the later one
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => {
      status.value = { kind: 'working' };
      pump();
    }, delay);
    return Date.now() + delay;
  };
  const { message } = error;
  stopped = wanted.number;
  faults.value = {};
  if (error.code === 'SUPERSEDED') {
    again(150 + Math.random() * 350); // other tabs of the same user also send requests
  } else if (error.status === 0) {
    const until = again(RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]);
    retries += 1;
    status.value = { kind: 'offline', message, until };
  } else if (error.status === 429) {
    status.value = { kind: 'limited', message, until: again((error.retryAfter ?? 5) * 1000) };
  } else if (error.status === 503) {
    status.value = { kind: 'busy', message, until: again((error.retryAfter ?? 2) * 1000) };
  } else if (error.status === 401) {
    status.value = { kind: 'unauthorized', message: key.peek() ? message : '' };
  } else if (error.status === 400 || error.status === 413) {
    faults.value = listed(faultsOf(error.details), wanted.of);
    status.value = { kind: 'refused', message };
  } else {
    status.value = { kind: 'failed', message };
  }
  if (error.status > 0 && error.status !== 429 && error.status !== 503) announce(message);
}

/** The number of pixels that the picture has where it is shown. */
function displayed() {
  const { width, height } = place.peek();
  const canvas = canvasSize.peek();
  const ratio = window.devicePixelRatio || 1;
  // Half a pixel more, since the server rounds down.
  return Math.min(MOST, (width * ratio + 0.5) * (height * ratio + 0.5), canvas.width * canvas.height);
}
