// The stage: the picture in the largest size that fits, the layers over it, and the tools below it.
import { html, useEffect, useLayoutEffect, useRef } from '../html.js';
import { deviceName, pictureDevice, transparent } from '../state/picture.js';
import { transform } from '../state/transform.js';
import { tool } from '../state/ui.js';
import { chosen, current, devices, gesturing } from '../state/store.js';
import { exportedSize, offset, place, room as free, zoom } from '../state/zoom.js';
import { caption } from '../state/captions.js';
import { CaptionTools } from './caption_tools.js';
import { Captions } from './captions.js';
import { Exact, missing } from './exact.js';
import { listenForGestures } from './gestures.js';
import { Hint } from './hint.js';
import { Locales } from './locales.js';
import { Notice } from './notice.js';
import { Overlay } from './overlay.js';
import { Picture } from './picture.js';
import { hovering, listenForSources } from './sources.js';
import { isFilm, Still, Timeline } from './timeline.js';
import { Toolbar } from './toolbar.js';
import { Zoom } from './zoom.js';

export function Stage() {
  const stage = useRef(null);
  const room = useRef(null);
  useEffect(() => listenForGestures(stage.current), []);
  useEffect(listenForSources, []);
  useLayoutEffect(() => {
    const fit = () => {
      const style = getComputedStyle(room.current);
      const inner = (size, ...sides) => size - sides.reduce((sum, side) => sum + parseFloat(style[side]), 0);
      free.value = {
        width: inner(room.current.clientWidth, 'paddingLeft', 'paddingRight'),
        height: inner(room.current.clientHeight, 'paddingTop', 'paddingBottom'),
        left: parseFloat(style.paddingLeft),
        top: parseFloat(style.paddingTop),
      };
    };
    const observer = new ResizeObserver(fit);
    observer.observe(room.current);
    fit();
    return () => observer.disconnect();
  }, []);
  return html`<main class="stage-area">
    <div
      class="stage stage-${tool.value} ${gesturing.value ? 'stage-gesturing' : ''}"
      ref=${stage}
      tabindex="0"
      role="application"
      aria-roledescription="turntable"
      aria-label=${devices.value.length && chosen.value === null ? 'Scene on the stage' : 'Device on the stage'}
      aria-describedby="stage-help stage-angles"
    >
      <div class="stage-room" ref=${room}>
        <${Place} />
      </div>
      ${zoom.value !== null && html`<${Label} />`}
      <${Locales} />
      <${Zoom} />
      ${isFilm() && html`<${Timeline} />`}
      <${Notice} />
      <${Hint} />
      ${hovering.value && html`<div class="drop-target"><p>Drop the screenshot</p></div>`}
      <p class="visually-hidden" id="stage-help">
        Arrow keys turn, move, size or roll the device, by the chosen tool; with Shift in small steps. 0 resets it.
      </p>
      <${Angles} />
    </div>
    ${caption.value === null ? html`<${Toolbar} />` : html`<${CaptionTools} />`}
  </main>`;
}

// Where the picture is. At a chosen zoom, the picture's edges lie on the borders of the display's pixels, so
// that its pixels are not blurred.
function Place() {
  const { width, height } = place.value;
  const close = zoom.value !== null;
  const on = (middle, side) => `${snapped(middle - side / 2)}px`;
  const at = close && { left: on(free.value.left + free.value.width / 2 + offset.value.x, width), top: on(free.value.top + free.value.height / 2 + offset.value.y, height) };
  return html`<div class="picture ${close ? 'picture-close' : ''} ${transparent.value ? 'picture-transparent' : ''}"
    style=${{ width: `${width}px`, height: `${height}px`, ...(at || { left: '', top: '' }) }}>
    ${!close && html`<${Label} />`}
    <${Picture} />
    <${Exact} />
    <${Still} />
    <${Overlay} />
    <${Captions} />
  </div>`;
}

const snapped = (length) => Math.round(length * devicePixelRatio) / devicePixelRatio;

function Label() {
  const many = devices.value.length > 1 && chosen.value === null;
  const name = many ? `${devices.value.length} devices` : pictureDevice.value && deviceName(current.value);
  const { width, height } = exportedSize.value;
  return html`<p class="picture-label"><b>${name}</b> ${width} × ${height}${missing.value && html` · a preview: ${missing.value}`}</p>`;
}

// For screen readers, so it stays what it was during a gesture: each change of a text has the page laid out again.
function Angles() {
  const told = useRef(null);
  if (!gesturing.value || !told.current) told.current = transform.value;
  const { rotationX, rotationY, rotationZ, scale } = told.current;
  return html`<p class="visually-hidden" id="stage-angles">
    Turned ${rotationX}° about X, ${rotationY}° about Y, ${rotationZ}° about Z, size ${Math.round(scale * 100)} %
  </p>`;
}
