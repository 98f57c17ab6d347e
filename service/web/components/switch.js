// Something that is on or off.
import { html } from '../html.js';

/** `id`, `describedBy` and `invalid` come from `Field`. */
export function Switch({ id, describedBy, invalid, checked, onChange }) {
  return html`<input type="checkbox" role="switch" class="switch" id=${id} checked=${checked}
    aria-describedby=${describedBy} aria-invalid=${invalid} onChange=${(event) => onChange(event.target.checked)} />`;
}
