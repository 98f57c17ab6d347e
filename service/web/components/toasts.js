// Short messages that appear over the stage and go again.
import { html } from '../html.js';
import { announcement, dismiss, toasts } from '../state/status.js';
import { Icon } from './icon.js';

export function Toasts() {
  // Each message has its own element: screen readers would not read out a text that is repeated in the same one.
  const { id, text } = announcement.value;
  return html`<div class="toasts">
      ${toasts.value.map(
        (item) => html`<div class="toast toast-${item.kind}" key=${item.id} role=${item.kind === 'error' ? 'alert' : 'status'}>
          <${Icon} name=${item.kind === 'error' ? 'warning' : item.kind === 'success' ? 'check' : 'info'} />
          <span>${item.text}</span>
          <button type="button" class="toast-close" aria-label="Dismiss" onClick=${() => dismiss(item.id)}>
            <${Icon} name="close" size=${14} />
          </button>
        </div>`,
      )}
    </div>
    <p class="visually-hidden" role="status"><span key=${id}>${text}</span></p>`;
}
