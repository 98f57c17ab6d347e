// The stage: the picture as large as there is room for, what lies over it, and the tools below it.
import { html, useEffect, useLayoutEffect, useRef } from '../html.js';
import { deviceOf } from '../server/catalogue.js';
import { canvasSize, pictureDevice, place, transparent } from '../state/picture.js';
import { transform } from '../state/transform.js';
import { tool } from '../state/ui.js';
import { gesturing } from '../state/store.js';
import { listenForGestures } from './gestures.js';
import { Hint } from './hint.js';
import { Notice } from './notice.js';
import { Overlay } from './overlay.js';
import { Picture } from './picture.js';
import { hovering, listenForSources } from './sources.js';
import { Toolbar } from './toolbar.js';

export function Stage() {
  const stage = useRef(null);
  const room = useRef(null);
  const { width, height } = canvasSize.value;
  useEffect(() => listenForGestures(stage.current), []);
  useEffect(listenForSources, []);
  useLayoutEffect(() => {
    const fit = () => {
      const style = getComputedStyle(room.current);
      const inner = (size, ...sides) => size - sides.reduce((sum, side) => sum + parseFloat(style[side]), 0);
      const free = {
        width: inner(room.current.clientWidth, 'paddingLeft', 'paddingRight'),
        height: inner(room.current.clientHeight, 'paddingTop', 'paddingBottom'),
      };
      const scale = Math.min(free.width / width, free.height / height);
      if (scale > 0) place.value = { width: Math.round(width * scale), height: Math.round(height * scale) };
    };
    const observer = new ResizeObserver(fit);
    observer.observe(room.current);
    fit();
    return () => observer.disconnect();
  }, [width, height]);
  const size = { width: `${place.value.width}px`, height: `${place.value.height}px` };
  return html`<main class="stage-area">
    <div
      class="stage stage-${tool.value} ${gesturing.value ? 'stage-gesturing' : ''}"
      ref=${stage}
      tabindex="0"
      role="application"
      aria-roledescription="turntable"
      aria-label="Device on the stage"
      aria-describedby="stage-help stage-angles"
    >
      <div class="stage-room" ref=${room}>
        <div class="picture ${transparent.value ? 'picture-transparent' : ''}" style=${size}>
          <${Label} />
          <${Picture} />
          <${Overlay} />
        </div>
      </div>
      <${Notice} />
      <${Hint} />
      ${hovering.value && html`<div class="drop-target"><p>Drop the screenshot</p></div>`}
      <p class="visually-hidden" id="stage-help">
        Arrow keys turn, move, size or roll the device, by the chosen tool; with Shift in small steps. 0 resets it.
      </p>
      <${Angles} />
    </div>
    <${Toolbar} />
  </main>`;
}

function Label() {
  const name = deviceOf(pictureDevice.value)?.name ?? (pictureDevice.value === 'custom' ? 'Own device' : '');
  const { width, height } = canvasSize.value;
  return html`<p class="picture-label"><b>${name}</b> ${width} × ${height}</p>`;
}

// A component of its own, as it is drawn again with each move of a pointer.
function Angles() {
  const { rotationX, rotationY, rotationZ, scale } = transform.value;
  return html`<p class="visually-hidden" id="stage-angles">
    Turned ${rotationX}° about X, ${rotationY}° about Y, ${rotationZ}° about Z, size ${Math.round(scale * 100)} %
  </p>`;
}
