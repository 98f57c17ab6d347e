// The sample screen that the server shows where there is no screenshot.
import { deviceOf } from '../server/catalogue.js';
import { get, isObject } from './paths.js';
import { fallback } from './schema.js';

const [PHONE, TABLET, DESKTOP, BROWSER] = ['screenshot', 'tablet', 'desktop', 'browser'];
// By category of the catalogue and kind of description; the rows of `service/devices/categories.py` have the same.
const OTHERS = {
  tablet: TABLET, laptop: DESKTOP, desktop: DESKTOP, monitor: DESKTOP, tv: DESKTOP, console: DESKTOP,
  window: BROWSER, browser: BROWSER, card: BROWSER,
};

/** The names of the sample files in `samples`: one for each device of a scene, or one for the
 * settings' device. */
export function sampleNames({ settings: all, devices: list }) {
  return (list.length ? list : [{}]).map((own) => {
    const [device, orientation] = ['device', 'orientation'].map((path) => get(own, path) ?? get(all, path) ?? fallback(path));
    return nameFor(device, orientation, deviceOf(device));
  });
}

/** The sample's name for a device: `device` as in settings, its orientation, and its catalogue
 * entry, if any. */
export function nameFor(device, orientation, entry) {
  const { category, screen } = isObject(device) ? { category: device.kind, screen: device.screen } : (entry ?? {});
  const name = OTHERS[category] ?? PHONE;
  const wide = orientation?.startsWith('landscape') || (['auto', 'natural'].includes(orientation) && screen?.width > screen?.height);
  return wide && (name === PHONE || name === TABLET) ? DESKTOP : name;
}
