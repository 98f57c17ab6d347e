// A film of the picture: what moves, how its recording is shown, and its file, as the API takes them. Missing members
// have the defaults below, which are the server's.
import { computed, signal } from '../html.js';
import { get, put, same } from './paths.js';
import { present } from './picture.js';
import { devices, film, replaceParts, settings } from './store.js';
import { resolve } from './transform.js';

const DEFAULTS = {
  motion: { fps: 30, seamless: false, shutterAngle: 0, move: { name: 'still' } },
  recording: { start: 0, speed: 1, after: 'hold' },
  export: { format: 'mp4', quality: 80, alpha: true },
};
const STILL_S = 4; // length of a film that shows a still picture
const [SHORTEST, LEAST_SIDE] = [0.1, 64]; // the shortest film, s, and the smallest side of a film, px
const POSE = ['scale', 'positionX', 'positionY', 'rotationX', 'rotationY', 'rotationZ', 'fieldOfView'];

/** The recording, `{id, name, blob, width, height, durationMs, fps}`, or null for a film of the screenshot. */
export const recording = signal(null);

/** The recordings that devices of a scene have of their own, in the same form, by the keys that `shows` of devices has. */
export const ownRecordings = signal({});

/** The time that is shown, s, or null for the picture at rest. Not undone. */
export const time = signal(null);

/** Whether the device was posed after `time` was set. The stage then shows that pose, for a keyframe, instead of a frame. */
export const posed = signal(false);

/** The index of the keyframe that is chosen, or null. Not undone. */
export const keyframe = signal(null);

export const filmValue = (path) => get(film.value, path) ?? get(DEFAULTS, path);

/** Changes members of the film by path; undefined restores a default. */
export function changeFilm(changes, step = Object.keys(changes).join()) {
  const next = Object.entries(changes).reduce((all, [path, one]) => put(all, path, same(one, get(DEFAULTS, path)) ? undefined : one), film.peek());
  replaceParts({ film: next }, step);
}

/**
 * What a device of a scene shows, as its `shows` says: `{recording, …}` with the key of its own recording and how that is
 * played, `{screenshot: true}`, or `{}` for the film's recording.
 */
export function shownBy(device) {
  const { shows } = device ?? {};
  if (shows?.recording && ownRecordings.value[shows.recording]) return shows;
  return shows?.screenshot || !recording.value ? { screenshot: true } : {};
}

/** What each of the drawn devices shows; for a picture of one device, what that device shows. */
export const shownByEach = computed(() => {
  const { devices: list, places } = present.value;
  return list.length ? places.map((place) => shownBy(devices.value[place])) : [shownBy()];
});

/** Changes what a device of a scene shows, by member; undefined members are left out. */
export function changeShown(place, changes, step = null) {
  const { shows: before, ...device } = devices.peek()[place];
  const shows = Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([name, one]) => one !== undefined && one !== DEFAULTS.recording[name]));
  replaceParts({ devices: devices.peek().with(place, Object.keys(shows).length ? { ...device, shows } : device) }, step);
}

/** The playback option of a device's own recording. */
export const shownValue = (place, name) => devices.value[place]?.shows?.[name] ?? DEFAULTS.recording[name];

/** How long the film is, s: as given, or as long as the longest of its recordings. */
export function duration() {
  const moving = shownByEach.value.filter((one) => !one.screenshot);
  return get(film.value, 'motion.duration') ?? (moving.length ? Math.max(...moving.map(lengthOf)) : STILL_S);
}

function lengthOf({ recording: own, ...playback }) {
  return own ? played(ownRecordings.value[own], playback) : played(recording.value, film.value.recording);
}

/** How long a recording is shown, s. */
export function played({ durationMs }, { start = 0, end = durationMs / 1000, speed = 1 } = {}) {
  return Math.max(SHORTEST, Math.round(((end - start) / speed) * 1000) / 1000);
}

export const keyframes = () => film.value.motion?.keyframes ?? [];

// The present pose on the stage, for a keyframe; in a scene, that of the scene as a whole.
const poseNow = () => {
  const whole = resolve(settings.peek(), devices.peek());
  return Object.fromEntries(POSE.map((name) => [name, whole[name]]));
};

/**
 * Keyframes with one added at a time, in order. If there is a keyframe within half a frame of that time, it
 * is changed instead, and keeps its other members.
 */
export function withKeyframe(list, at, pose, fps) {
  const near = list.findIndex((one) => Math.abs(one.at - at) < 0.5 / fps);
  if (near >= 0) return { list: list.with(near, { ...list[near], deviceTransform: pose }), index: near };
  const index = list.filter((one) => one.at < at).length;
  return { list: list.toSpliced(index, 0, { at: rounded(at), deviceTransform: pose }), index };
}

/** Sets the pose of the stage at a time; the film then has keyframes in place of a move. */
export function setKeyframe(at) {
  const { list, index } = withKeyframe(keyframes(), at, poseNow(), filmValue('motion.fps'));
  changeFilm({ 'motion.move': undefined, 'motion.keyframes': list }, null);
  keyframe.value = index;
  posed.value = false;
}

/** Chooses a keyframe: its time is shown, and the stage takes its pose. */
export function chooseKeyframe(index) {
  keyframe.value = index;
  const one = keyframes()[index];
  if (!one) return;
  time.value = one.at;
  const { pose: _, ...own } = settings.peek().deviceTransform ?? {};
  replaceParts({ settings: put(settings.peek(), 'deviceTransform', { ...own, ...one.deviceTransform }) });
  posed.value = false;
}

export function removeKeyframe(index) {
  const list = keyframes().toSpliced(index, 1);
  changeFilm({ 'motion.keyframes': list.length ? list : undefined }, null);
  keyframe.value = null;
}

/** Moves a keyframe in time, between its neighbours. */
export function moveKeyframe(index, at, step) {
  const list = keyframes();
  const frame = 1 / filmValue('motion.fps');
  const low = index ? list[index - 1].at + frame : 0;
  const high = index < list.length - 1 ? list[index + 1].at - frame : duration();
  const moved = rounded(Math.min(high, Math.max(low, at)));
  changeFilm({ 'motion.keyframes': list.with(index, { ...list[index], at: moved }) }, step);
  time.value = moved;
}

const rounded = (number) => Math.round(number * 1000) / 1000;

/** Whether, in a request, each device of a scene has its own recording or screenshot. */
export const allOwn = (list) => list.length > 0 && list.every((one) => one.recording || one.screenshot);

/**
 * The body of a request for a film. `shown` is `{recording}`, which gets the playback options, or `{screenshot}`; `list` are
 * the devices of a scene, with what they show of their own. If all devices have their own, the film itself
 * has neither.
 */
export function filmBody(of, all, shown, list = []) {
  const { motion = {}, export: file, recording: playback } = of;
  const whole = allOwn(list) ? {} : shown.recording ? { recording: { ...playback, ...shown.recording } } : shown;
  return { type: 'film', ...whole, ...(list.length && { devices: list }), settings: all, motion, ...(file && { export: file }) };
}

/** Settings for a smaller canvas of the same shape, with at most so many pixels. */
export function smaller(all, { width, height }, pixels) {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  const side = (length) => Math.max(LEAST_SIDE, Math.round(length * scale));
  const { preset: _, slices: __, gap: ___, ...canvas } = all.canvas ?? {};
  return { ...all, canvas: { ...canvas, width: side(width), height: side(height) }, export: undefined };
}

/** Times of frames, evenly over a film, the end left out. */
export function spreadTimes(length, count) {
  return Array.from({ length: count }, (_, number) => rounded((length * number) / count));
}
