// The sample screen that the server shows where there is no screenshot.
import { computed } from '../html.js';
import { deviceOf } from '../server/catalogue.js';
import { isObject } from './paths.js';
import { value } from './store.js';

const [PHONE, TABLET, DESKTOP, BROWSER] = ['screenshot', 'tablet', 'desktop', 'browser'];
// By category of the catalogue and kind of description; `service/sources/samples.py` has the same.
const OTHERS = {
  tablet: TABLET, laptop: DESKTOP, desktop: DESKTOP, monitor: DESKTOP, tv: DESKTOP, console: DESKTOP,
  window: BROWSER, browser: BROWSER, card: BROWSER,
};

/** Its name: that of a file in `samples`. */
export const sampleName = computed(() => nameFor(value('device'), value('orientation'), deviceOf(value('device'))));

/** The same for a device as settings have it, its orientation, and its entry in the catalogue if it has one. */
export function nameFor(device, orientation, entry) {
  const { category, screen } = isObject(device) ? { category: device.kind, screen: device.screen } : (entry ?? {});
  const name = OTHERS[category] ?? PHONE;
  const wide = orientation?.startsWith('landscape') || (['auto', 'natural'].includes(orientation) && screen?.width > screen?.height);
  return wide && (name === PHONE || name === TABLET) ? DESKTOP : name;
}
