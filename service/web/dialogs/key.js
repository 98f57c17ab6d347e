// Shows that there is a key, takes another one, or forgets it.
import { html, useId, useRef } from '../html.js';
import { Button } from '../components/button.js';
import { closeDialog, Dialog } from '../components/dialog.js';
import { retry } from '../server/live.js';
import { keepKey, key, offered } from '../state/key.js';

export function KeyDialog() {
  // As it was opened, whatever comes of it.
  const brought = useRef(offered.peek()).current;
  return brought ? html`<${Offered} brought=${brought} />` : html`<${Present} />`;
}

function Offered({ brought }) {
  const answer = (chosen) => {
    keepKey(chosen);
    closeDialog();
    retry();
  };
  return html`<${Dialog} title="Another API key">
    <div class="stack">
      <p>This page's address brought the key <code>${brought.slice(0, 12)}…</code>. The one in use is <code>${key.value.slice(0, 12)}…</code></p>
      <p class="soft">What you upload and save goes to the account of the key in use: take another one only if you know whose it is.</p>
      <div class="row row-end">
        <${Button} onClick=${() => answer(brought)}>Use the other key<//>
        <${Button} kind="primary" onClick=${() => answer(key.value)}>Keep the key in use<//>
      </div>
    </div>
  <//>`;
}

function Present() {
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
