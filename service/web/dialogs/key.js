// Shows that there is a key, takes another one, or forgets it.
import { html, useId } from '../html.js';
import { Button } from '../components/button.js';
import { closeDialog, Dialog } from '../components/dialog.js';
import { retry } from '../server/live.js';
import { keepKey, key } from '../state/key.js';

export function KeyDialog() {
  const id = useId();
  const submit = (event) => {
    event.preventDefault();
    keepKey(new FormData(event.target).get('key'));
    closeDialog();
    retry();
  };
  const forget = () => {
    keepKey('');
    closeDialog();
  };
  return html`<${Dialog} title="API key">
    <form class="stack" onSubmit=${submit}>
      <p class="soft">Kept in this browser only, and sent to this server only. Copied requests say <code>$MOCKUP_KEY</code> instead.</p>
      ${key.value && html`<p>In use: <code>${key.value.slice(0, 12)}…</code></p>`}
      <div class="field">
        <label class="field-label" for=${id}>${key.value ? 'Another key' : 'Key'}</label>
        <input class="input" id=${id} name="key" type="password" autocomplete="off" spellcheck=${false} required placeholder="sk_live_…" />
      </div>
      <div class="row row-end">
        ${key.value && html`<${Button} kind="danger" onClick=${forget}>Forget the key<//>`}
        <${Button} kind="primary" type="submit">Use this key<//>
      </div>
    </form>
  <//>`;
}
