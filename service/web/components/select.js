// A choice among many by name.
import { html } from '../html.js';

/** `options` are `{value, label}`, or `{label, options}` for a group; values may be anything. */
export function Select({ id, label, describedBy, invalid, options, value, onChange }) {
  const flat = options.flatMap((option) => option.options ?? option);
  const one = (option) => html`<option key=${option.label} value=${flat.indexOf(option)} selected=${option.value === value}>${option.label}</option>`;
  return html`<select class="select" id=${id} aria-label=${label} aria-describedby=${describedBy} aria-invalid=${invalid}
    value=${flat.findIndex((option) => option.value === value)} onChange=${(event) => onChange(flat[event.target.value].value)}>
    ${options.map((option) => (option.options ? html`<optgroup key=${option.label} label=${option.label}>${option.options.map(one)}</optgroup>` : one(option)))}
  </select>`;
}
