// The device's transform as it is: settings, with the values of a named pose filled in.
import { computed } from '../html.js';
import { deviceOf, poses } from '../server/catalogue.js';
import { pictureDevice } from './picture.js';
import { get } from './paths.js';
import { fallback } from './schema.js';
import { change, settings, value } from './store.js';

export const MEMBERS = ['scale', 'positionX', 'positionY', 'rotationX', 'rotationY', 'rotationZ', 'fieldOfView', 'framing'];
const POSED = ['rotationX', 'rotationY', 'rotationZ', 'fieldOfView', 'framing'];
const CATEGORIES = { monitor: 'desktop' }; // kinds of described devices that are called otherwise

/** The category of the device shown; `auto` is known once there is a picture of it. */
export const category = computed(() => {
  const device = value('device');
  if (typeof device === 'object') return CATEGORIES[device.kind] ?? device.kind;
  return deviceOf(device === 'auto' ? pictureDevice.value : device)?.category ?? 'phone';
});

/** All members of `deviceTransform` but the pose. */
export const transform = computed(() => resolve(settings.value));

export function resolve(all) {
  const given = get(all, 'deviceTransform') ?? {};
  const pose = poses.value.find((one) => one.id === given.pose)?.views[category.value] ?? {};
  return Object.fromEntries(
    MEMBERS.map((name) => [name, given[name] ?? pose[name] ?? fallback(`deviceTransform.${name}`)]),
  );
}

/** Changes members of the transform; whatever a pose gave is written out when one of its members changes. */
export function transformBy(changes, step) {
  const current = transform.peek();
  const leaves = value('deviceTransform.pose') !== undefined && POSED.some((name) => name in changes);
  const all = leaves ? { ...Object.fromEntries(POSED.map((name) => [name, current[name]])), ...changes } : changes;
  const paths = Object.entries(all).map(([name, one]) => [`deviceTransform.${name}`, one]);
  change(Object.fromEntries(leaves ? [['deviceTransform.pose', undefined], ...paths] : paths), step ?? Object.keys(changes).join());
}

/** Puts the device back upright, in the middle, at its own size. */
export function resetTransform() {
  change({ deviceTransform: undefined }, null);
}
