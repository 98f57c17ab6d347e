// The finishes of a device as small pictures of it, and any other colour.
import { html } from '../html.js';
import { Color } from '../components/color.js';
import { Field } from '../components/field.js';
import { Pictures } from '../components/pictures.js';
import { change, value } from '../state/store.js';

export function Finishes({ device }) {
  const { finishes } = device;
  const color = value('appearance.deviceColor') ?? finishes[0].name;
  const options = finishes.map(({ name, hex, preview }) => ({
    value: name,
    label: name,
    title: `${name}, ${hex}`,
    src: `${preview}&size=160`,
    swatch: hex,
  }));
  const choose = (name) => change({ 'appearance.deviceColor': name === finishes[0].name ? undefined : name });
  const shown = finishes.find(({ name }) => name === color)?.hex ?? (color.startsWith('#') ? color : undefined);
  return html`<${Field} path="appearance.deviceColor" label="Finish" group>
    ${(control) => html`<${Pictures} label="Finish" options=${options} value=${color} columns=${4} onChange=${choose} />
      <${Color} ...${control} path="appearance.deviceColor" title="Device colour" alpha=${false} shown=${shown} />`}
  <//>`;
}
