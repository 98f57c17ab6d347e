// A modal dialog, on the browser's own element, which keeps the focus inside and gives it back.
import { html, useEffect, useId, useRef } from '../html.js';
import { dialog } from '../state/ui.js';
import { Button } from './button.js';

/** Closes the open dialog. The browser gives the focus back only if a dialog is closed before it is removed from the page. */
export function closeDialog() {
  document.querySelector('dialog[open]')?.close();
}

export function Dialog({ title, children, wide = false }) {
  const element = useRef(null);
  const id = useId();
  useEffect(() => {
    element.current.showModal();
  }, []);
  const outside = (event) => event.target === element.current && closeDialog();
  return html`<dialog
    ref=${element}
    class="dialog ${wide ? 'dialog-wide' : ''}"
    aria-labelledby=${id}
    autofocus
    onClose=${() => (dialog.value = null)}
    onMouseDown=${outside}
  >
    <header class="dialog-head">
      <h2 id=${id}>${title}</h2>
      <${Button} kind="quiet" icon="close" label="Close" onClick=${closeDialog} />
    </header>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}
