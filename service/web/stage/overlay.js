// Over the picture: the outline of body and screens, at the display's own rate, and the ring for rolling.
import { effect, html, useEffect, useRef } from '../html.js';
import { area, pathOf } from '../geometry/outline.js';
import { shape } from '../state/picture.js';
import { gesturing } from '../state/store.js';
import { transform } from '../state/transform.js';
import { tool } from '../state/ui.js';
import { place } from '../state/zoom.js';
import { currentView } from './view.js';

export function Overlay() {
  const [body, edge, screens, ring, knob] = [useRef(null), useRef(null), useRef(null), useRef(null), useRef(null)];
  const { width, height } = place.value;
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      frame = 0;
      const view = currentView();
      if (!view) return;
      body.current.setAttribute('d', pathOf(view.body));
      edge.current.setAttribute('d', pathOf(view.body));
      screens.current.setAttribute('d', view.screens.filter((one) => area(one) > 0).map(pathOf).join(''));
      if (!ring.current) return;
      const radius = Math.min(place.peek().width, place.peek().height) * 0.44;
      const angle = (-transform.peek().rotationZ - 90) * (Math.PI / 180);
      const { x, y } = view.camera;
      for (const [name, one] of Object.entries({ cx: x, cy: y, r: radius })) ring.current.setAttribute(name, one);
      knob.current.setAttribute('cx', x + radius * Math.cos(angle));
      knob.current.setAttribute('cy', y + radius * Math.sin(angle));
    };
    const stop = effect(() => {
      // Read, so that the effect follows them.
      void [transform.value, place.value, shape.value, tool.value];
      frame ||= requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, []);
  return html`<svg class="overlay ${gesturing.value ? 'overlay-active' : ''}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <clipPath id="body-edge"><path ref=${edge} /></clipPath>
    <g class="outline">
      <path class="outline-body" ref=${body} />
      <path class="outline-screen" ref=${screens} clip-path="url(#body-edge)" />
    </g>
    ${tool.value === 'roll' &&
    shape.value &&
    html`<g class="ring">
      <circle class="ring-line" ref=${ring} />
      <circle class="ring-knob" r="7" ref=${knob} />
    </g>`}
  </svg>`;
}
