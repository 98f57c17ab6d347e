// Whether a colour suits a device: a finish of one is an error on another.
import { plain } from './names.js';
import { get, put } from './paths.js';

const COLOR = 'appearance.deviceColor';

/** Whether a device, an entry of the catalogue if it is known, takes a colour. */
export function takesColor(color, device) {
  if (color === undefined || String(color).startsWith('#')) return true;
  return Boolean(device?.finishes.some(({ name }) => plain(name) === plain(String(color))));
}

/** Settings for another device. The colour stays, unless it is a finish that this device may not have. */
export function onDevice(settings, id, device) {
  const moved = put(settings, 'device', id);
  return takesColor(get(settings, COLOR), device) ? moved : put(moved, COLOR, undefined);
}
