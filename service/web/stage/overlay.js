// The overlay on the picture: the outlines of bodies and screens, which follow at the display's frame rate,
// and the ring for rolling.
import { effect, html, useEffect, useRef } from '../html.js';
import { area, pathOf } from '../geometry/outline.js';
import { picture } from '../server/live.js';
import { shapes } from '../state/picture.js';
import { chosen, devices, gesturing } from '../state/store.js';
import { transform } from '../state/transform.js';
import { tool } from '../state/ui.js';
import { place } from '../state/zoom.js';
import { currentView, sceneViews } from './view.js';

export function Overlay() {
  const [body, edge, screens, mark, ring, knob] = [useRef(null), useRef(null), useRef(null), useRef(null), useRef(null), useRef(null)];
  const { width, height } = place.value;
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      frame = 0;
      const view = currentView();
      mark.current.setAttribute('d', chosen.peek() === null ? '' : pathOf(view?.body ?? []));
      if (!view) return;
      const views = devices.peek().length && chosen.peek() === null ? sceneViews() : [view];
      body.current.setAttribute('d', views.map((one) => pathOf(one.body)).join(''));
      edge.current.setAttribute('d', body.current.getAttribute('d'));
      screens.current.setAttribute('d', views.flatMap((one) => one.screens.filter((screen) => area(screen) > 0).map(pathOf)).join(''));
      if (!ring.current) return;
      const radius = Math.min(place.peek().width, place.peek().height) * 0.44;
      const angle = (-transform.peek().rotationZ - 90) * (Math.PI / 180);
      const whole = devices.peek().length && chosen.peek() === null;
      const [x, y] = whole ? [place.peek().width / 2, place.peek().height / 2] : view.pivot;
      for (const [name, one] of Object.entries({ cx: x, cy: y, r: radius })) ring.current.setAttribute(name, one);
      knob.current.setAttribute('cx', x + radius * Math.cos(angle));
      knob.current.setAttribute('cy', y + radius * Math.sin(angle));
    };
    const stop = effect(() => {
      // Read these signals, so that the effect depends on them.
      void [transform.value, place.value, shapes.value, tool.value, chosen.value, devices.value, devices.value.length && picture.value];
      frame ||= requestAnimationFrame(draw);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, []);
  return html`<svg class="overlay ${gesturing.value ? 'overlay-active' : ''}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <clipPath id="body-edge"><path ref=${edge} /></clipPath>
    <path class="outline-chosen" ref=${mark} />
    <g class="outline">
      <path class="outline-body" ref=${body} />
      <path class="outline-screen" ref=${screens} clip-path="url(#body-edge)" />
    </g>
    ${tool.value === 'roll' &&
    shapes.value.length > 0 &&
    html`<g class="ring">
      <circle class="ring-line" ref=${ring} />
      <circle class="ring-knob" r="7" ref=${knob} />
    </g>`}
  </svg>`;
}
