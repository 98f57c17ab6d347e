// The picture on the stage, and the shape of the device in it.
import { computed, signal } from '../html.js';
import { parts } from './color.js';
import { get } from './paths.js';
import { presets } from '../server/catalogue.js';
import { settings, value } from './store.js';

const [SHORTEST, LONGEST] = [64, 4096]; // px of a canvas

/** The id of the device in the last picture, which is the one that `auto` chose. */
export const pictureDevice = signal(null);

/** The device's shape in mm, from `POST /api/v1/geometry`, or null until it is known. */
export const shape = signal(null);

// While a size is being typed, the last one that the server takes stands.
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

const ENDINGS = { jpeg: 'jpg' };

/** What the name of a file of this format ends in. */
export const ending = (format) => ENDINGS[format] ?? format;

/** Whether the picture has transparent parts. */
export const transparent = computed(() => {
  const { appearance = {} } = settings.value;
  const clear = (color) => color !== undefined && parts(color).alpha < 1;
  return clear(appearance.backgroundColor) || (get(appearance, 'gradientEnabled') === true && clear(appearance.gradientColor));
});
