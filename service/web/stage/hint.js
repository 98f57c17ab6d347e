// The hint of the first visit, which never returns once the user has read or followed it.
import { html } from '../html.js';
import { hasPicture } from '../state/status.js';
import { hinted } from '../state/ui.js';
import { touch } from '../browser/pointer.js';
import { isFilm } from './timeline.js';

export function Hint() {
  // The time line of a film takes the hint's place.
  if (hinted.value || !hasPicture.value || isFilm()) return null;
  return html`<div class="hint" data-control>
    <p>${touch ? html`Drag to turn the device. Two fingers size and roll it.` : html`Drag to turn the device. <kbd>?</kbd> shows all shortcuts.`}</p>
    <button type="button" class="button button-quiet button-small" onClick=${() => (hinted.value = true)}><span>Got it</span></button>
  </div>`;
}
