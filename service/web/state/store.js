// What is edited: the settings as they are sent, and the screenshot. Every change can be undone, a gesture at a time.
import { batch, computed, signal } from '../html.js';
import { get, put, same, withoutNulls } from './paths.js';
import { describe, fallback } from './schema.js';

/** What the studio begins with: a device that suits the screenshot, whichever is dropped. */
export const START = { device: 'auto' };

/** The settings that differ from the defaults, in the form the API takes. Never changed in place. */
export const settings = signal(START);

/**
 * The screenshot, or null: `{id, name, width, height}` with its file, `blob`, or its address, `url`; `server/screenshots.js`
 * makes them.
 */
export const screenshot = signal(null);

const DEEPEST = 200; // steps that can be undone
const PAUSE_MS = 800; // repeated changes of one setting are one step unless there is a pause this long

const past = signal([]);
const future = signal([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** Whether a gesture is under way, such as a drag. */
export const gesturing = signal(false);
let before = null; // what the gesture began with
let last = { step: null, time: 0 };

/** The value of a setting: as set, or its default. Reading it in a component makes the component follow it. */
export function value(path) {
  return get(settings.value, path) ?? fallback(path);
}

/** Whether a setting differs from its default. */
export function isSet(path) {
  return get(settings.value, path) !== undefined;
}

/**
 * Changes settings by path, such as `{'shadow.blur': 8}`; undefined restores a default. It is a step of its own for
 * undo, except within a gesture, or if the last change shortly before had the same `step` (by default the paths).
 */
export function change(changes, step = Object.keys(changes).join()) {
  let next = settings.peek();
  for (const [path, value] of Object.entries(changes)) {
    const changed = put(next, path, isRedundant(next, path, value) ? undefined : value);
    next = staysOn(next, changed, path) ? put(changed, parent(path), true) : changed;
  }
  apply({ settings: next, screenshot: screenshot.peek() }, step);
}

/** Begins with settings that somebody wrote; null stands for a default, as in a request. */
export function beginWith(given) {
  settings.value = withoutNulls(given);
}

/** Replaces all settings by others that somebody wrote, as one step. */
export function replaceSettings(given) {
  apply({ settings: withoutNulls(given), screenshot: screenshot.peek() }, null);
}

/** Takes another screenshot, as one step. */
export function replaceScreenshot(next) {
  apply({ settings: settings.peek(), screenshot: next }, null);
}

/** Begins a gesture: what changes until `commit` is one step. */
export function begin() {
  before ??= present();
  gesturing.value = true;
}

export function commit() {
  const start = before;
  before = null;
  batch(() => {
    gesturing.value = false;
    if (start && !isPresent(start)) remember(start);
  });
  last = { step: null, time: 0 };
}

/** Ends a gesture as if it had not been. */
export function cancel() {
  const start = before;
  before = null;
  batch(() => {
    gesturing.value = false;
    if (start) restore(start);
  });
}

export function undo() {
  travel(past, future);
}

export function redo() {
  travel(future, past);
}

function apply(next, step) {
  if (isPresent(next)) return;
  batch(() => {
    const now = performance.now();
    const repeated = step !== null && step === last.step && now - last.time < PAUSE_MS;
    if (!before && !repeated) remember(present());
    last = { step, time: now };
    restore(next);
  });
}

function travel(from, to) {
  if (before) commit();
  const state = from.peek().at(-1);
  if (!state) return;
  batch(() => {
    to.value = [...to.peek(), present()];
    from.value = from.peek().slice(0, -1);
    restore(state);
  });
  last = { step: null, time: 0 };
}

function remember(state) {
  past.value = [...past.peek(), state].slice(-DEEPEST);
  future.value = [];
}

function restore(state) {
  settings.value = state.settings;
  screenshot.value = state.screenshot;
}

function present() {
  return { settings: settings.peek(), screenshot: screenshot.peek() };
}

function isPresent(state) {
  return state.screenshot === screenshot.peek() && same(state.settings, settings.peek());
}

// An effect stays on when the last of its members is back at its default.
function staysOn(before, after, path) {
  const effect = parent(path);
  return describe(effect)?.kind === 'switch' && Boolean(get(before, effect)) && get(after, effect) === undefined;
}

const parent = (path) => path.split('.').slice(0, -1).join('.');

// Beside a pose, a default is not redundant: it overrides the pose.
function isRedundant(all, path, value) {
  const posed = path.startsWith('deviceTransform.') && get(all, 'deviceTransform.pose') !== undefined;
  return !posed && same(value, fallback(path));
}
