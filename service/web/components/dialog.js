// A modal dialog, on the browser's own element, which keeps the focus inside and gives it back.
import { html, useEffect, useId, useRef } from '../html.js';
import { dialog } from '../state/ui.js';
import { Button } from './button.js';

export function Dialog({ title, children, wide = false }) {
  const element = useRef(null);
  const id = useId();
  useEffect(() => {
    element.current.showModal();
  }, []);
  const close = () => (dialog.value = null);
  const outside = (event) => event.target === element.current && close();
  return html`<dialog
    ref=${element}
    class="dialog ${wide ? 'dialog-wide' : ''}"
    aria-labelledby=${id}
    autofocus
    onClose=${close}
    onMouseDown=${outside}
  >
    <header class="dialog-head">
      <h2 id=${id}>${title}</h2>
      <${Button} kind="quiet" icon="close" label="Close" onClick=${close} />
    </header>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}
