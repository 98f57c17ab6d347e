// The picture on the stage, and the shape of the device in it.
import { computed, signal } from '../html.js';
import { kindOf } from './background.js';
import { parts } from './color.js';
import { deviceOf, presets } from '../server/catalogue.js';
import { drawn } from './scene.js';
import { fallback } from './schema.js';
import { current, devices, screenshots, settings, value } from './store.js';

const [SHORTEST, LONGEST] = [64, 4096]; // px of a canvas

/** The content to draw at the moment, in the form of `drawn` of `scene.js`. */
export const present = computed(() => drawn({ settings: settings.value, devices: devices.value, screenshots: screenshots.value }));

/** The ids of the devices in the last picture, which are those that `auto` chose, by their places in the scene. */
export const pictureDevices = signal([]);
export const pictureDevice = computed(() => pictureDevices.value[current.value] ?? null);

/** The devices' shapes in mm, from `POST /api/v1/geometry`, by their places; empty until they are known. */
export const shapes = signal([]);
export const shape = computed(() => shapes.value[current.value] ?? null);

// While a size is being typed, use the last one that the server accepts.
let taken = { width: 1920, height: 1080 };

/** The canvas in px at `export.scale` 1. */
export const canvasSize = computed(() => {
  const preset = presets.value.find((one) => one.id === value('canvas.preset'));
  const size = preset ?? { width: value('canvas.width'), height: value('canvas.height') };
  if ([size.width, size.height].every((side) => Number.isInteger(side) && side >= SHORTEST && side <= LONGEST)) taken = size;
  // The stage shows slices as they are composed.
  const [slices, gap] = [value('canvas.slices') || 1, value('canvas.gap') || 0];
  return { ...taken, width: slices * taken.width + (slices - 1) * gap };
});

const usual = computed(() => settings.value.device ?? fallback('device'));

/** The name of the device at a place of the scene. */
export function deviceName(at) {
  const device = devices.value[at]?.device ?? usual.value;
  if (typeof device === 'object') return 'Custom device';
  const id = device === 'auto' ? pictureDevices.value[at] : device;
  return deviceOf(id)?.name ?? (id === 'custom' ? 'Custom device' : (id ?? 'Device'));
}

const ENDINGS = { jpeg: 'jpg' };

/** The suffix of files of this format. */
export const ending = (format) => ENDINGS[format] ?? format;

/** Whether the picture has transparent parts. */
export const transparent = computed(() => {
  const { appearance = {} } = settings.value;
  const clear = (color) => color !== undefined && parts(color).alpha < 1;
  if (appearance.hidden) return true;
  switch (kindOf(appearance)) {
    case 'gradient': return (appearance.gradientStops ?? [{ color: appearance.backgroundColor }, { color: appearance.gradientColor }]).some(({ color }) => clear(color));
    case 'image': return appearance.backgroundImage.fit === 'contain' && clear(appearance.backgroundColor);
    default: return clear(appearance.backgroundColor);
  }
});
