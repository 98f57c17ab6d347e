// The finishes of a device as swatches, and a field for any other colour.
import { html } from '../html.js';
import { Color } from '../components/color.js';
import { Field } from '../components/field.js';
import { Pictures } from '../components/pictures.js';
import { plain } from '../state/names.js';
import { change, value } from '../state/store.js';

export function Finishes({ device }) {
  const { finishes } = device;
  const given = String(value('appearance.deviceColor') ?? finishes[0].name);
  const named = finishes.find(({ name }) => plain(name) === plain(given));
  const options = finishes.map(({ name, hex }) => ({
    value: name,
    label: name,
    title: `${name}, ${hex}`,
    picture: html`<span class="finish" style=${{ '--color': hex }} />`,
  }));
  const choose = (name) => change({ 'appearance.deviceColor': name === finishes[0].name ? undefined : name });
  return html`<${Field} path="appearance.deviceColor" label="Finish" group>
    ${(control) => html`<${Pictures} label="Finish" shape="bare" options=${options} value=${named?.name ?? given} columns=${3} onChange=${choose} />
      <${Color} ...${control} path="appearance.deviceColor" title="Device color" alpha=${false} shown=${named?.hex} />`}
  <//>`;
}
