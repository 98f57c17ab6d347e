// Chooses the device of a scene that a panel is about.
import { html } from '../html.js';
import { Field } from '../components/field.js';
import { Select } from '../components/select.js';
import { deviceName } from '../state/picture.js';
import { chosen, current, devices } from '../state/store.js';

export function WhichDevice() {
  if (devices.value.length < 2) return null;
  const options = devices.value.map((_, place) => ({ value: place, label: `${place + 1}. ${deviceName(place)}` }));
  return html`<${Field} label="Device of the scene">
    ${(control) => html`<${Select} ...${control} options=${options} value=${current.value} onChange=${(place) => (chosen.value = place)} />`}
  <//>`;
}
