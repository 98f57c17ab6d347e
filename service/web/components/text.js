// A line of text for a setting; an empty text restores the default.
import { html } from '../html.js';
import { change, value } from '../state/store.js';

export function Text({ path, id, describedBy, invalid, maxLength, placeholder }) {
  return html`<input class="input" id=${id} value=${value(path) ?? ''} maxlength=${maxLength} placeholder=${placeholder}
    autocomplete="off" aria-describedby=${describedBy} aria-invalid=${invalid}
    onInput=${(event) => change({ [path]: event.target.value || undefined })} />`;
}
