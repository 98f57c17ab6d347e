// A program or file to copy.
import { html, useRef } from '../html.js';
import { toast } from '../state/status.js';
import { Button } from './button.js';

/** `title` is what is copied, as in `Copy curl`. */
export function Code({ title, text, kind = 'plain', children }) {
  const shown = useRef(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(`${title} copied`, 'success');
    } catch {
      getSelection().selectAllChildren(shown.current);
      toast('Press Ctrl C to copy');
    }
  };
  return html`<div class="code">
    <${Button} kind=${kind} icon="copy" class="code-copy" onClick=${copy}>Copy ${title}<//>
    <pre tabindex="0" role="region" aria-label=${title}><code ref=${shown}>${text}</code></pre>
    ${children}
  </div>`;
}
