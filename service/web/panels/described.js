// A device that the catalogue does not have, by its measures.
import { html } from '../html.js';
import { Color } from '../components/color.js';
import { useDraft } from '../components/draft.js';
import { Field } from '../components/field.js';
import { Segmented } from '../components/segmented.js';
import { Select } from '../components/select.js';
import { isObject } from '../state/paths.js';
import { shape } from '../state/picture.js';
import { change, value } from '../state/store.js';

const KINDS = ['phone', 'tablet', 'laptop', 'monitor', 'watch', 'window', 'card'];
const MATERIALS = ['aluminium', 'titanium', 'steel', 'glass', 'plastic', 'matte'];
const CAMERAS = ['none', 'single', 'dual', 'triple', 'bar', 'square'];
const CUTOUTS = ['none', 'island', 'notch', 'hole'];
const SIZES = {
  phone: [1206, 2622], tablet: [1668, 2420], laptop: [3024, 1964], monitor: [3840, 2160], watch: [416, 496],
  window: [1600, 1000], card: [1200, 900],
};
const CUT = ['phone', 'tablet', 'laptop']; // kinds whose screens may have a cut-out
const SIDES = ['top', 'right', 'bottom', 'left'];
const DEFAULT_BEZEL = 4; // mm
// Kinds whose shape is nothing but their body; of others, a usual diagonal of the screen and what is around it, in mm.
const SLABS = ['phone', 'tablet'];
const USUAL = { laptop: [360, 20, 30], monitor: [680, 20, 20], watch: [50, 8, 8] };
const FLAT = ['window', 'card']; // a sheet: nothing but its screen
const KIND_OF = { desktop: 'monitor', tv: 'monitor', browser: 'window', foldable: 'phone', console: 'tablet' };

/** A description to begin with: of the kind and with the screen of a device of the catalogue. */
export function describeLike(device) {
  const kind = KIND_OF[device?.category] ?? device?.category ?? 'phone';
  const [width, height] = SIZES[kind];
  const screen = device && !device.screen.fitted && !KIND_OF[device.category] ? device.screen : { width, height };
  return { kind, screen: { width: screen.width, height: screen.height } };
}

const named = (names) => names.map((name) => ({ value: name, label: name[0].toUpperCase() + name.slice(1) }));

export function DescribedDevice() {
  const { kind } = value('device');
  const flat = FLAT.includes(kind);
  const choose = (next) => change({ device: { kind: next, screen: { width: SIZES[next][0], height: SIZES[next][1] } } }, null);
  return html`<${Field} label="Kind">
      ${(control) => html`<${Select} ...${control} options=${named(KINDS)} value=${kind} onChange=${choose} />`}
    <//>
    <div class="pair">
      <${Measure} path="device.screen.width" label="Screen width" unit="px" minimum=${64} maximum=${8192} whole required />
      <${Measure} path="device.screen.height" label="Screen height" unit="px" minimum=${64} maximum=${8192} whole required />
      <${Measure} path="device.screen.cornerRadius" label="Corner radius" unit="px" minimum=${0} maximum=${4096} />
    </div>
    ${CUT.includes(kind) && html`<${Cutout} />`}
    ${!flat &&
    html`<${Size} kind=${kind} />
      <${Bezel} />
      <${Choice} path="device.material" label="Material" names=${MATERIALS} />
      ${['phone', 'tablet'].includes(kind) && html`<${Choice} path="device.camera" label="Cameras" names=${CAMERAS} />`}
      <${Field} path="device.color" label="Color">
        ${(control) => html`<${Color} ...${control} path="device.color" title="Color" alpha=${false} shown="#3A3B3D" />`}
      <//>`}`;
}

// How large it is: by the screen's density, or by the size of the body.
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
        ? html`<${Measure} path="device.body.width" label="Body width" unit="mm" minimum=${10} maximum=${3000} required />
            <${Measure} path="device.body.height" label="Body height" unit="mm" minimum=${10} maximum=${3000} required />
            <${Measure} path="device.body.depth" label="Body depth" unit="mm" minimum=${1} maximum=${100} />`
        : html`<${Measure} path="device.ppi" label="Density" unit="ppi" minimum=${20} maximum=${1500} />`}
    </div>`;
}

/** The body to begin with: as it is now where that is known, else of a usual screen with some bezel around it. */
function usualBody(kind) {
  const round = (number) => Math.round(number * 10) / 10;
  if (shape.value && SLABS.includes(kind)) return { width: round(shape.value.body[0]), height: round(shape.value.body[1]) };
  const { width, height } = screenSize();
  const [diagonal, across, up] = USUAL[kind] ?? [160, 5, 5];
  const scale = diagonal / Math.hypot(width, height);
  return { width: round(width * scale + across), height: round(height * scale + up) };
}

// In px; as usual where a description that was pasted has none.
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
        ? SIDES.map((side) => html`<${Measure} key=${side} path="device.bezel.${side}" label="Bezel ${side}" unit="mm" minimum=${0} maximum=${300} />`)
        : html`<${Measure} path="device.bezel" label="Bezel width" unit="mm" minimum=${0} maximum=${300} />`}
    </div>`;
}

function Measure({ path, label, unit, minimum, maximum, whole = false, required = false }) {
  const set = (event) => {
    const number = event.target.valueAsNumber;
    change({ [path]: Number.isNaN(number) ? undefined : number });
  };
  const typed = useDraft(value(path) ?? '', set);
  return html`<${Field} path=${path} label=${label} required=${required}>
    ${({ id, describedBy, invalid }) => html`<span class="number">
      <input class="number-input" type="number" id=${id} min=${minimum} max=${maximum} step=${whole ? 1 : 'any'} placeholder="auto"
        aria-describedby=${describedBy} aria-invalid=${invalid} ...${typed} />
      <span class="number-unit">${unit}</span>
    </span>`}
  <//>`;
}

function Cutout() {
  const kind = value('device.screen.cutout.kind') ?? 'none';
  // Sizes as they usually are, in proportion to the screen.
  const sizes = { island: [0.31, 0.09, 0.035], notch: [0.4, 0.075, 0], hole: [0.055, 0.055, 0.03] };
  const choose = (next) => {
    const { width } = screenSize();
    const [w, h, top] = (sizes[next] ?? []).map((share) => Math.round(share * width));
    const place = next === 'notch' ? {} : { y: Math.round(top + h / 2) };
    change({ 'device.screen.cutout': next === 'none' ? undefined : { kind: next, width: w, height: h, ...place } }, null);
  };
  return html`<${Field} path="device.screen.cutout" label="Cut-out" group>
    ${() => html`<${Segmented} label="Cut-out" options=${named(CUTOUTS)} value=${kind} onChange=${choose} />`}
  <//>
  ${kind !== 'none' &&
  html`<div class="pair">
    <${Measure} path="device.screen.cutout.width" label="Its width" unit="px" minimum=${1} maximum=${4096} />
    <${Measure} path="device.screen.cutout.height" label="Its height" unit="px" minimum=${1} maximum=${4096} />
    <${Measure} path="device.screen.cutout.x" label="Middle from left" unit="px" minimum=${0} maximum=${8192} />
    ${kind !== 'notch' && html`<${Measure} path="device.screen.cutout.y" label="Middle from top" unit="px" minimum=${0} maximum=${8192} />`}
  </div>`}`;
}

function Choice({ path, label, names }) {
  const options = [{ value: undefined, label: 'As usual' }, ...named(names)];
  return html`<${Field} path=${path} label=${label}>
    ${(control) => html`<${Select} ...${control} options=${options} value=${value(path)} onChange=${(next) => change({ [path]: next })} />`}
  <//>`;
}
