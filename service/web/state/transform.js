// The transform of what is chosen, the scene or one of its devices: settings, with the values of a pose or layout filled in.
import { computed } from '../html.js';
import { deviceOf, poses } from '../server/catalogue.js';
import { layoutView } from './layouts.js';
import { pictureDevices } from './picture.js';
import { get } from './paths.js';
import { fallback } from './schema.js';
import { change, chosen, current, devices, settings, value } from './store.js';

/** Members of `deviceTransform` but the pose: those of the camera, which a scene has once, and those that each device has. */
const CAMERA = ['scale', 'fieldOfView', 'framing'];
export const MOVED = ['positionX', 'positionY', 'rotationX', 'rotationY', 'rotationZ'];
export const MEMBERS = [...CAMERA, ...MOVED];
const POSED = ['rotationX', 'rotationY', 'rotationZ', 'fieldOfView', 'framing'];
const CATEGORIES = { monitor: 'desktop' }; // kinds of described devices whose category has another name

/** The category of the current device; that of `auto` is known once there is a picture of it. */
export const category = computed(() => categoryOf(value('device'), pictureDevices.value[current.value]));

function categoryOf(device, pictured) {
  if (device !== null && typeof device === 'object') return CATEGORIES[device.kind] ?? device.kind;
  return deviceOf(device === 'auto' ? pictured : device)?.category ?? 'phone';
}

/** Whether any device is a laptop, whose lid films can open. */
export const hasLaptop = computed(() => {
  const list = devices.value;
  if (!list.length) return category.value === 'laptop';
  return list.some(({ device }, place) => categoryOf(device ?? settings.value.device ?? fallback('device'), pictureDevices.value[place]) === 'laptop');
});

/** All members of `deviceTransform` but the pose. */
export const transform = computed(() => {
  const whole = resolve(settings.value, devices.value);
  if (chosen.value === null || !devices.value.length) return whole;
  const { deviceTransform: own = {} } = devices.value[current.value];
  const pose = poseOf(own.pose, category.value);
  return { ...whole, ...Object.fromEntries(MOVED.map((name) => [name, own[name] ?? pose[name] ?? fallback(`deviceTransform.${name}`)])) };
});

/** The transform of a picture, or of a scene as a whole. */
export function resolve(all, list = []) {
  const given = get(all, 'deviceTransform') ?? {};
  const categories = list.length ? list.map(({ device }, place) => categoryOf(device ?? value('device'), pictureDevices.value[place])) : [category.value];
  const posed = { ...layoutView(get(all, 'layout'), categories), ...poseOf(given.pose, categories[0]) };
  return Object.fromEntries(MEMBERS.map((name) => [name, given[name] ?? posed[name] ?? fallback(`deviceTransform.${name}`)]));
}

const poseOf = (id, of) => poses.value.find((one) => one.id === id)?.views[of] ?? {};

/** Changes members of the transform; when one member of a pose changes, the pose's other values are written out. */
export function transformBy(changes, step) {
  const present = transform.peek();
  const posed = chosen.peek() === null ? POSED : POSED.filter((name) => MOVED.includes(name));
  const leaves = value('deviceTransform.pose') !== undefined && posed.some((name) => name in changes);
  const all = leaves ? { ...Object.fromEntries(posed.map((name) => [name, present[name]])), ...changes } : changes;
  const paths = Object.entries(all).map(([name, one]) => [`deviceTransform.${name}`, one]);
  change(Object.fromEntries(leaves ? [['deviceTransform.pose', undefined], ...paths] : paths), step ?? `${chosen.peek()} ${Object.keys(changes)}`);
}

/** Resets the chosen device or scene: upright, in its place, at its own size. */
export function resetTransform() {
  change({ deviceTransform: undefined }, null);
}
