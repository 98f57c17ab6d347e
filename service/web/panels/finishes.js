// The finishes of a device as swatches, and any other color.
import { html } from '../html.js';
import { Color } from '../components/color.js';
import { Field } from '../components/field.js';
import { Pictures } from '../components/pictures.js';
import { change, value } from '../state/store.js';

export function Finishes({ device }) {
  const { finishes } = device;
  const color = String(value('appearance.deviceColor') ?? finishes[0].name);
  const options = finishes.map(({ name, hex }) => ({
    value: name,
    label: name,
    title: `${name}, ${hex}`,
    picture: html`<span class="finish" style=${{ '--color': hex }} />`,
  }));
  const choose = (name) => change({ 'appearance.deviceColor': name === finishes[0].name ? undefined : name });
  const shown = finishes.find(({ name }) => name === color)?.hex ?? (color.startsWith('#') ? color : undefined);
  return html`<${Field} path="appearance.deviceColor" label="Finish" group>
    ${(control) => html`<${Pictures} label="Finish" shape="bare" options=${options} value=${color} columns=${4} onChange=${choose} />
      <${Color} ...${control} path="appearance.deviceColor" title="Device color" alpha=${false} shown=${shown} />`}
  <//>`;
}
