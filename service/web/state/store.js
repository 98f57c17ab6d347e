// The edited state: the settings as they are sent, a scene's devices, and the screenshots. Every change can be undone,
// a gesture at a time.
import { batch, computed, signal } from '../html.js';
import { get, put, same, withoutNulls } from './paths.js';
import { describe, fallback } from './schema.js';

/** The initial settings: `auto` chooses the device that suits the dropped screenshot. */
export const START = { device: 'auto' };

/** The settings that differ from the defaults, in the form the API takes. Never changed in place. */
export const settings = signal(START);

/**
 * The devices of a scene, in the form the API takes, without their screenshots; empty for a picture of one device, which
 * the settings name.
 */
export const devices = signal([]);

/**
 * The screenshot of each device, or null: `{id, name, width, height}` with its file, `blob`, or its address, `url`;
 * `server/screenshots.js` makes them.
 */
export const screenshots = signal([null]);

/** A set without anything in it. */
export const NO_SET = { locales: [], screens: [], sizes: [], screen: 0 };

/**
 * The store set, which `set.js` explains: `{locales, screens: [{name, captions, screenshots, localized}], sizes: [{name, preset, device}],
 * screen, locale}`; `screen` is the index of the screen that is shown, and `locale` its locale. `localized` has, by
 * locale, the screenshots that locales other than the first have of their own.
 */
export const set = signal(NO_SET);

/** The film: its `motion`, how its `recording` is shown, and its `export`, as `film.js` explains. */
export const film = signal({});

/** The state that undo restores, by the name it is stored under. */
const PARTS = { settings, devices, screenshots, set, film };

/** What is chosen on the stage: the index of a device of a scene, or null for the scene as a whole. Not undone. */
export const chosen = signal(null);

/** The index of the device that settings of a single device are about: the chosen one, or else the first. */
export const current = computed(() => Math.min(chosen.value ?? 0, Math.max(0, devices.value.length - 1)));

/** The current device's screenshot. */
export const screenshot = computed(() => screenshots.value[current.value] ?? null);

const DEEPEST = 200; // steps that can be undone
const PAUSE_MS = 800; // repeated changes of one setting are one step unless there is a pause this long

const past = signal([]);
const future = signal([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** Whether a gesture is under way, such as a drag. */
export const gesturing = signal(false);
let before = null; // the state before the gesture
let last = { step: null, time: 0 };

/**
 * The value of a setting: as set, or its default. In a scene, settings that each device has are those of the current
 * device, and the rotation and position are those of the chosen one. A component that reads the value is rendered again
 * when it changes, and not when other settings do.
 */
export function value(path) {
  return known(values, path, () => {
    const place = placeOf(path);
    const own = get(at(place), path);
    if (own !== undefined || !place) return own ?? fallback(path);
    return isMoved(path) ? fallback(path) : (get(settings.value, path) ?? fallback(path));
  });
}

/** Whether a setting differs from its default. */
export function isSet(path) {
  return known(differs, path, () => get(at(placeOf(path)), path) !== undefined);
}

// Computed values by path.
const values = new Map();
const differs = new Map();

function known(all, path, find) {
  if (!all.has(path)) all.set(path, computed(find));
  return all.get(path).value;
}

/** A setting's path in a request, as errors name it, such as `devices[1].screen.fit`. */
export function pathOf(path) {
  return `${placeOf(path)}${path}`;
}

/**
 * Changes settings by path, such as `{'shadow.blur': 8}`; undefined restores a default. It is a step of its own for
 * undo, except within a gesture, or if the last change shortly before had the same `step` (by default the paths).
 */
export function change(changes, step = `${chosen.peek()} ${Object.keys(changes)}`) {
  let next = present();
  for (const [path, value] of Object.entries(changes)) {
    const place = placeOf(path);
    const all = at(place, next);
    const changed = put(all, path, isRedundant(next, all, path, value) ? undefined : value);
    const kept = staysOn(all, changed, path) ? put(changed, parent(path), true) : changed;
    next = place ? { ...next, devices: next.devices.with(current.peek(), kept) } : { ...next, settings: kept };
  }
  apply(next, step);
}

/** Begins with a given document, `{settings, devices, set, film}`; null means the default, as in a request. */
export function beginWith(given) {
  batch(() => restore(written(given)));
}

/** Replaces settings and devices with given ones, as one step. Each device keeps the screenshot at its place. */
export function replaceRequest(given) {
  chosen.value = null;
  apply(written(given), null);
}

/** Replaces the settings of the picture with given ones, as one step. */
export function replaceSettings(given) {
  apply({ ...present(), settings: withoutNulls(given) }, null);
}

/** Replaces any of `{settings, devices, screenshots, set, film}`. `step` is that of `change`; without it, this is one step. */
export function replaceParts(parts, step = null) {
  apply({ ...present(), ...parts }, step);
}

/** Takes another screenshot for the current device, as one step. */
export function replaceScreenshot(next) {
  replaceParts({ screenshots: screenshots.peek().with(current.peek(), next) });
}

/** Begins a gesture: all changes until `commit` are one step. */
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

/** Cancels a gesture, and undoes its changes. */
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

function written({ settings: all = {}, devices: list = [], set: of = NO_SET, film: motion = {} }) {
  const places = Array.from({ length: Math.max(1, list.length) }, (_, place) => screenshots.peek()[place] ?? null);
  return { settings: withoutNulls(all), devices: list.map(withoutNulls), screenshots: places, set: of, film: motion };
}

function remember(state) {
  past.value = [...past.peek(), state].slice(-DEEPEST);
  future.value = [];
}

function restore(state) {
  for (const [name, part] of Object.entries(PARTS)) part.value = state[name];
  if (chosen.peek() >= devices.peek().length) chosen.value = null;
}

function present() {
  return Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, part.peek()]));
}

function isPresent(state) {
  const shots = screenshots.peek();
  const shown = state.screenshots.length === shots.length && state.screenshots.every((one, place) => one === shots[place]);
  return shown && ['settings', 'devices', 'set', 'film'].every((name) => same(state[name], PARTS[name].peek()));
}

// The settings that each device of a scene has of its own, and those that move the chosen one.
const OWN = /^(device|orientation|screen|appearance\.(deviceColor|style|theme))(\.|$)/;
const MOVED = /^(depth|deviceTransform(\.(pose|rotation[XYZ]|position[XY]))?)$/;

const isMoved = (path) => MOVED.test(path);

// `devices[1].` for a setting that the current device of a scene has, empty for one of the picture.
function placeOf(path) {
  const own = OWN.test(path) || (isMoved(path) && chosen.value !== null);
  return own && devices.value.length ? `devices[${current.value}].` : '';
}

// The settings of the scene, or of the current device where `place` leads to its settings.
function at(place, { settings: all, devices: list } = { settings: settings.value, devices: devices.value }) {
  return place ? list[current.peek()] : all;
}

// An effect stays on when the last of its members is back at its default.
function staysOn(before, after, path) {
  const effect = parent(path);
  return describe(effect)?.kind === 'switch' && Boolean(get(before, effect)) && get(after, effect) === undefined;
}

const parent = (path) => path.split('.').slice(0, -1).join('.');

// With a pose or a layout, a default is not redundant, because it overrides them. A device's own value overrides the
// picture's.
function isRedundant(next, all, path, value) {
  const posed = path.startsWith('deviceTransform.') && (get(all, 'deviceTransform.pose') ?? get(all, 'layout')) !== undefined;
  const usual = all === next.settings || isMoved(path) ? fallback(path) : (get(next.settings, path) ?? fallback(path));
  return !posed && same(value, usual);
}
