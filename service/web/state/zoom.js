// The visible part of the picture, and its zoom. They belong to the page and not to the picture, so undo leaves them
// unchanged.
import { batch, computed, signal } from '../html.js';
import { about, bounded, fitting, settledZoom, stepped } from '../geometry/viewport.js';
import { canvasSize } from './picture.js';
import { value } from './store.js';

const MARGIN = 80; // CSS px around the picture, for the controls over the stage

/** The free part of the stage, and where it is on it, in CSS px. */
export const room = signal({ width: 0, height: 0, left: 0, top: 0 });

/** The number of display pixels per pixel of the exported picture; null while the picture fits the stage. */
export const zoom = signal(null);

/** The offset of the picture's middle from the room's, in CSS px. */
export const offset = signal({ x: 0, y: 0 });

/** The exported picture's size, in px. */
export const exportedSize = computed(() => {
  const scale = value('export.scale');
  const { width, height } = canvasSize.value;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
});

const pixelRatio = () => globalThis.devicePixelRatio || 1;

/** The zoom at which the picture fits. */
export const fitted = computed(() => fitting(exportedSize.value, room.value, pixelRatio()));

/** The present zoom, whether the picture fits or not. */
export const shownZoom = computed(() => zoom.value ?? fitted.value);

/** The size of the picture's place on the stage, in CSS px. */
export const place = computed(() => {
  const { width, height } = exportedSize.value;
  if (!(room.value.width > 0 && room.value.height > 0)) return { width: 0, height: 0 };
  if (zoom.value !== null) return { width: (width * zoom.value) / pixelRatio(), height: (height * zoom.value) / pixelRatio() };
  const scale = fitted.value / pixelRatio();
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
});

/** Zooms to a value, null to fit; `point` stays where it is, from the room's middle in CSS px. */
export function zoomTo(next, point = { x: 0, y: 0 }) {
  const factor = (next ?? fitted.peek()) / shownZoom.peek();
  batch(() => {
    zoom.value = next === null ? null : settledZoom(next, fitted.peek());
    panTo(zoom.value === null ? { x: 0, y: 0 } : about(offset.peek(), point, factor));
  });
}

export function zoomBy(factor, point) {
  zoomTo(shownZoom.peek() * factor, point);
}

/** Zooms one step in (1) or out (-1). */
export function zoomStep(direction) {
  zoomTo(stepped(shownZoom.peek(), direction, fitted.peek()));
}

/** Zooms to 100 %, or from 100 % back to the whole picture. */
export function toggleZoom() {
  zoomTo(zoom.peek() === 1 ? null : 1);
}

export function panBy(right, down) {
  const { x, y } = offset.peek();
  panTo({ x: x + right, y: y + down });
}

function panTo(next) {
  offset.value = bounded(next, place.peek(), room.peek(), MARGIN);
}
