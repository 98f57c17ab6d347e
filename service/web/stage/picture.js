// The canvas with the server's picture. While round trips are long, a browser with a graphics processor shows a proxy
// until the next picture arrives: the device of the last picture, cut out, warped to the present pose, and drawn over the
// background.
import { effect, html, useEffect, useRef } from '../html.js';
import { area } from '../geometry/outline.js';
import { homography, matrix3d } from '../geometry/homography.js';
import { isSlow, picture } from '../server/live.js';
import { key } from '../state/key.js';
import { shapes } from '../state/picture.js';
import { css } from '../state/background.js';
import { devices, settings } from '../state/store.js';
import { transform } from '../state/transform.js';
import { same } from '../state/paths.js';
import { place } from '../state/zoom.js';
import { currentView, viewFor } from './view.js';

const MEASURE = 'pointer to picture';
const SPARE = 1.004; // factor by which the cut-out is larger than the device, for its soft edge

export function Picture() {
  const canvas = useRef(null);
  const backdrop = useRef(null);
  useEffect(() => {
    const context = canvas.current.getContext('bitmaprenderer');
    const show = effect(() => {
      const shown = picture.value;
      if (!shown) return;
      const { width, height } = shown.bitmap;
      if (canvas.current.width !== width) canvas.current.width = width;
      if (canvas.current.height !== height) canvas.current.height = height;
      context.transferFromImageBitmap(shown.bitmap);
      if (!canvas.current.dataset.number) performance.mark('first picture');
      canvas.current.dataset.number = shown.number;
      if (shown.input) requestAnimationFrame(() => measure(shown.input));
    });
    let frame = 0;
    const bend = () => {
      frame = 0;
      const shown = picture.peek();
      const alone = shown && !shown.of.devices.length && !devices.peek().length;
      const late = alone && isSlow() && !same(shown.of.settings.deviceTransform, settings.peek().deviceTransform);
      const proxy = late ? proxyOf(viewFor(shown.of.settings), currentView()) : null;
      canvas.current.style.transform = proxy?.transform ?? '';
      canvas.current.style.clipPath = proxy?.clip ?? '';
      // The background is shown before the first picture, so that nothing flashes.
      backdrop.current.style.background = proxy || (!shown && key.peek()) ? css() : '';
    };
    const follow = effect(() => {
      void [transform.value, place.value, shapes.value, picture.value, key.value];
      frame ||= requestAnimationFrame(bend);
    });
    return () => {
      show();
      follow();
      cancelAnimationFrame(frame);
    };
  }, []);
  return html`<div class="backdrop" ref=${backdrop} /><canvas class="canvas" ref=${canvas} aria-hidden="true" />`;
}

// For developer tools and `benchmarks/studio.py`; a page that stays open must not fill memory with it.
function measure(start) {
  if (performance.getEntriesByName(MEASURE).length > 2000) performance.clearMeasures(MEASURE);
  performance.measure(MEASURE, { start });
}

// How the last picture is cut and warped: by the face of the body that is visible in both poses.
function proxyOf(from, to) {
  if (!from || !to) return null;
  const face = area(to.front) > 0 ? 'front' : 'back';
  const matrix = homography(from[face], to[face]);
  if (!matrix || area(from[face]) * area(to[face]) <= 0) return null;
  const { x, y } = from.camera;
  const cut = from.body.map(([px, py]) => [x + (px - x) * SPARE, y + (py - y) * SPARE]);
  return {
    transform: matrix3d(matrix),
    clip: `polygon(${cut.map(([px, py]) => `${px.toFixed(1)}px ${py.toFixed(1)}px`).join()})`,
  };
}
