// The background: its colour, its gradient with each stop, or its picture and how that fits the canvas.
import { html, useState } from '../html.js';
import { chooseFiles } from '../browser/files.js';
import { Button } from '../components/button.js';
import { useDraft } from '../components/draft.js';
import { Field } from '../components/field.js';
import { Segmented } from '../components/segmented.js';
import { Setting } from '../components/setting.js';
import { Swatch } from '../components/color.js';
import { backdrop, takeBackdrop } from '../server/backdrops.js';
import { bar, FEWEST_STOPS, kindOf, MOST_STOPS, showKind, stops, withAnother, withStop, writeStops } from '../state/background.js';
import { describe } from '../state/schema.js';
import { begin, change, commit, settings, value } from '../state/store.js';

const KINDS = [
  { value: 'color', label: 'Color' },
  { value: 'gradient', label: 'Gradient' },
  { value: 'image', label: 'Picture' },
];
const IMAGE = 'appearance.backgroundImage';
const SOURCES = [
  { value: 'screenshot', label: 'Screenshot' },
  { value: 'upload', label: 'File' },
  { value: 'url', label: 'Address' },
];

export function Background() {
  const kind = kindOf(settings.value.appearance);
  return html`<section class="stack" aria-label="Background">
    <${Segmented} label="Kind of background" options=${KINDS} value=${kind} onChange=${showKind} />
    ${kind === 'color' && html`<${Setting} setting=${describe('appearance.backgroundColor')} />`}
    ${kind === 'gradient' && html`<${Gradient} />`}
    ${kind === 'image' && html`<${Image} />`}
  </section>`;
}

function Gradient() {
  const list = stops();
  const type = value('appearance.gradientType');
  return html`<${Setting} setting=${describe('appearance.gradientType')} />
    ${type !== 'radial' && html`<${Setting} setting=${describe('appearance.gradientAngle')} />`}
    <${Field} path="appearance.gradientStops" label="Stops" group>
      ${() => html`<div class="gradient-bar" style=${{ background: bar(list) }} aria-hidden="true" />
        <ol class="list" aria-label="Stops">
          ${list.map((stop, number) => html`<${Stop} key=${number} list=${list} number=${number} />`)}
        </ol>
        <${Button} small icon="plus" disabled=${list.length >= MOST_STOPS} onClick=${() => writeStops(withAnother(list), null)}>Add a stop<//>`}
    <//>`;
}

function Stop({ list, number }) {
  const { color, at } = list[number];
  const set = (changes, step) => writeStops(withStop(list, number, changes), step);
  const name = `Stop ${number + 1}`;
  const place = useDraft(Math.round(at * 100), (event) => event.target.value !== '' && set({ at: Math.min(100, Math.max(0, event.target.value)) / 100 }, null));
  return html`<li class="stop">
    <${Swatch} color=${color} title=${name} onChange=${(next) => set({ color: next }, `stop ${number}`)} />
    <input class="slider-track" type="range" min="0" max="1" step="0.01" value=${at} style=${{ '--share': at }} aria-label="${name}: place"
      onPointerDown=${begin} onPointerUp=${commit} onPointerCancel=${commit}
      onInput=${(event) => set({ at: within(list, number, Number(event.target.value)) }, `place ${number}`)} />
    <span class="number"><input class="number-input" type="number" min="0" max="100" aria-label="${name}: place in percent" ...${place} /><span class="number-unit">%</span></span>
    <${Button} kind="quiet" small icon="close" label="Remove ${name.toLowerCase()}" disabled=${list.length <= FEWEST_STOPS}
      onClick=${() => writeStops(list.toSpliced(number, 1), null)} />
  </li>`;
}

// A slider cannot move its stop past a neighbour, so the order of stops never changes.
const within = (list, number, at) => Math.min(list[number + 1]?.at ?? 1, Math.max(list[number - 1]?.at ?? 0, at));

function Image() {
  const type = value(`${IMAGE}.type`);
  const [source, setSource] = useState(type);
  const [fault, setFault] = useState('');
  const choose = (next) => {
    setSource(next);
    setFault('');
    if (next === 'screenshot') change({ [IMAGE]: { ...kept(), type: 'screenshot' } }, null);
  };
  const take = async ([file]) => {
    try {
      await takeBackdrop(file, file.name);
      setFault('');
    } catch (error) {
      setFault(error.details?.[0]?.message ?? error.message);
    }
  };
  return html`<${Field} path="${IMAGE}.src" label="From" group required>
      ${() => html`<${Segmented} label="Source of the picture" options=${SOURCES} value=${source} onChange=${choose} />`}
    <//>
    ${source === 'upload' && html`<div class="field">
      <${Button} icon="folder" onClick=${() => chooseFiles('image/*', take)}>${type === 'upload' ? (backdrop.value?.name ?? 'Another file…') : 'Choose a picture…'}<//>
      ${fault && html`<p class="field-fault" role="alert">${fault}</p>`}
      <p class="field-hint">The server keeps it for an hour. Copied requests last if the picture has an address.</p>
    </div>`}
    ${source === 'url' && html`<${Address} />`}
    ${['fit', 'blur', 'dim'].map((name) => html`<${Setting} key=${name} setting=${setting(name)} />`)}`;
}

// A missing blur means the default of the source.
const setting = (name) => ({ ...describe(`${IMAGE}.${name}`), ...(name === 'blur' && { default: value(`${IMAGE}.type`) === 'screenshot' ? 12 : 0 }) });

const kept = () => {
  const { src: _, ...rest } = value(IMAGE) ?? {};
  return rest;
};

function Address() {
  const take = (event) => event.target.value.trim() && change({ [IMAGE]: { ...kept(), type: 'url', src: event.target.value.trim() } }, null);
  const typed = useDraft(value(`${IMAGE}.type`) === 'url' ? value(`${IMAGE}.src`) : '', take);
  return html`<${Field} label="Address">
    ${({ id }) => html`<input class="input" id=${id} type="url" placeholder="https://…" autocomplete="off" ...${typed} />`}
  <//>`;
}
