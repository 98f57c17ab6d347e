// A device that the catalogue does not have, by its measures.
import { html } from '../html.js';
import { Color } from '../components/color.js';
import { useDraft } from '../components/draft.js';
import { Field } from '../components/field.js';
import { Segmented } from '../components/segmented.js';
import { Select } from '../components/select.js';
import { isObject } from '../state/paths.js';
import { shape } from '../state/picture.js';
import { describe, fallback } from '../state/schema.js';
import { change, value } from '../state/store.js';

const SIZES = {
  phone: [1206, 2622], tablet: [1668, 2420], laptop: [3024, 1964], monitor: [3840, 2160], watch: [416, 496],
  foldable: [1968, 2184], tv: [3840, 2160], console: [1920, 1080],
  window: [1600, 1000], card: [1200, 900],
};
const CUT = ['phone', 'tablet', 'foldable', 'laptop']; // kinds whose screens may have a cut-out
const SIDES = ['top', 'right', 'bottom', 'left'];
const DEFAULT_BEZEL = 4; // mm
// Kinds whose shape is their body's alone. For the other kinds: the usual diagonal of the screen and the
// margins around it, mm.
const SLABS = ['phone', 'tablet', 'foldable'];
const USUAL = { laptop: [360, 20, 30], monitor: [680, 20, 20], tv: [1397, 16, 18], console: [190, 118, 18], watch: [50, 8, 8] };
const FLAT = ['window', 'card']; // a flat sheet that consists of its screen
const KIND_OF = { desktop: 'monitor', browser: 'window' };

/** An initial description: the kind and the screen of a device in the catalogue. */
export function describeLike(device) {
  const kind = KIND_OF[device?.category] ?? device?.category ?? 'phone';
  const [width, height] = SIZES[kind];
  const screen = device && !device.screen.fitted && !KIND_OF[device.category] ? device.screen : { width, height };
  return { kind, screen: { width: screen.width, height: screen.height } };
}

const optionsOf = (path) => describe(path).options.map((one) => ({ value: one.value, label: one.title }));

export function DescribedDevice() {
  const { kind } = value('device');
  const flat = FLAT.includes(kind);
  const choose = (next) => change({ device: { kind: next, screen: { width: SIZES[next][0], height: SIZES[next][1] } } }, null);
  return html`<${Field} label=${describe('device.kind').title}>
      ${(control) => html`<${Select} ...${control} options=${optionsOf('device.kind')} value=${kind} onChange=${choose} />`}
    <//>
    <div class="pair">
      <${Measure} path="device.screen.width" />
      <${Measure} path="device.screen.height" />
      <${Measure} path="device.screen.cornerRadius" />
    </div>
    ${CUT.includes(kind) && html`<${Cutout} />`}
    ${!flat &&
    html`<${Size} kind=${kind} />
      <${Bezel} />
      <${Choice} path="device.material" />
      ${['phone', 'tablet', 'foldable'].includes(kind) && html`<${Choice} path="device.camera" />`}
      <${Field} path="device.color" label="Color">
        ${(control) => html`<${Color} ...${control} path="device.color" title="Color" alpha=${false} />`}
      <//>`}`;
}

// The device's size, which follows from the screen's density or is that of the body.
function Size({ kind }) {
  const measured = value('device.body') !== undefined;
  const choose = (next) => {
    if ((next === 'body') !== measured) change({ 'device.ppi': undefined, 'device.body': next === 'body' ? usualBody(kind) : undefined }, null);
  };
  return html`<${Field} path="device.body" label="Size by" group required>
      ${() => html`<${Segmented} label="Size by" value=${measured ? 'body' : 'density'} onChange=${choose}
        options=${[{ value: 'density', label: 'Screen density' }, { value: 'body', label: 'Body' }]} />`}
    <//>
    <div class="pair">
      ${measured
        ? html`<${Measure} path="device.body.width" />
            <${Measure} path="device.body.height" />
            <${Measure} path="device.body.depth" />`
        : html`<${Measure} path="device.ppi" />`}
    </div>`;
}

/** The initial body: the present device's if it is known, or else a usual screen with a bezel. */
function usualBody(kind) {
  const round = (number) => Math.round(number * 10) / 10;
  if (shape.value && SLABS.includes(kind)) return { width: round(shape.value.body[0]), height: round(shape.value.body[1]) };
  const { width, height } = screenSize();
  const [diagonal, across, up] = USUAL[kind] ?? [160, 5, 5];
  const scale = diagonal / Math.hypot(width, height);
  return { width: round(width * scale + across), height: round(height * scale + up) };
}

// In px; the usual size if a pasted description has none.
function screenSize() {
  const { kind, screen } = value('device');
  const [width, height] = SIZES[kind] ?? SIZES.phone;
  return { width, height, ...screen };
}

function Bezel() {
  const apart = isObject(value('device.bezel'));
  const choose = (next) => {
    if ((next === 'apart') === apart) return;
    const all = apart ? value('device.bezel.top') : value('device.bezel');
    change({ 'device.bezel': apart ? all : Object.fromEntries(SIDES.map((side) => [side, all ?? DEFAULT_BEZEL])) }, null);
  };
  return html`<${Field} path="device.bezel" label="Bezel" group>
      ${() => html`<${Segmented} label="Bezel" value=${apart ? 'apart' : 'alike'} onChange=${choose}
        options=${[{ value: 'alike', label: 'Even' }, { value: 'apart', label: 'Each side' }]} />`}
    <//>
    <div class="pair">
      ${apart
        ? SIDES.map((side) => html`<${Measure} key=${side} path="device.bezel.${side}" />`)
        : html`<${Measure} path="device.bezel" />`}
    </div>`;
}

function Measure({ path }) {
  const { title, kind, unit, minimum, maximum, required } = describe(path);
  const set = (event) => {
    const number = event.target.valueAsNumber;
    change({ [path]: Number.isNaN(number) ? undefined : number });
  };
  const typed = useDraft(value(path) ?? '', set);
  return html`<${Field} path=${path} label=${title} required=${required}>
    ${({ id, describedBy, invalid }) => html`<span class="number">
      <input class="number-input" type="number" id=${id} min=${minimum} max=${maximum} step=${kind === 'integer' ? 1 : 'any'} placeholder="auto"
        aria-describedby=${describedBy} aria-invalid=${invalid} ...${typed} />
      <span class="number-unit">${unit}</span>
    </span>`}
  <//>`;
}

function Cutout() {
  const kind = value('device.screen.cutout.kind');
  // Usual width, height and distance from the top, as shares of the screen's width.
  const sizes = { island: [0.31, 0.09, 0.035], notch: [0.4, 0.075, 0], hole: [0.055, 0.055, 0.03] };
  const choose = (next) => {
    const { width } = screenSize();
    const [w, h, top] = (sizes[next] ?? []).map((share) => Math.round(share * width));
    const place = next === 'notch' ? {} : { y: Math.round(top + h / 2) };
    change({ 'device.screen.cutout': next === 'none' ? undefined : { kind: next, width: w, height: h, ...place } }, null);
  };
  return html`<${Field} path="device.screen.cutout" label="Cut-out" group>
    ${() => html`<${Segmented} label="Cut-out" options=${optionsOf('device.screen.cutout.kind')} value=${kind} onChange=${choose} />`}
  <//>
  ${kind !== 'none' &&
  html`<div class="pair">
    <${Measure} path="device.screen.cutout.width" />
    <${Measure} path="device.screen.cutout.height" />
    <${Measure} path="device.screen.cutout.x" />
    ${kind !== 'notch' && html`<${Measure} path="device.screen.cutout.y" />`}
  </div>`}`;
}

function Choice({ path }) {
  const usual = fallback(path) === undefined ? [{ value: undefined, label: 'As usual' }] : [];
  const options = [...usual, ...optionsOf(path)];
  return html`<${Field} path=${path} label=${describe(path).title}>
    ${(control) => html`<${Select} ...${control} options=${options} value=${value(path)} onChange=${(next) => change({ [path]: next })} />`}
  <//>`;
}
