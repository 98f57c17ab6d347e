// Shows that there is a key, takes another one, or forgets it.
import { html, useId, useRef } from '../html.js';
import { Button } from '../components/button.js';
import { linkedFrom } from '../browser/host.js';
import { closeDialog, Dialog } from '../components/dialog.js';
import { retry } from '../server/live.js';
import { declineKey, keepKey, key, offered } from '../state/key.js';

export function KeyDialog() {
  // The dialog stays as it was opened, even if the offered key is taken or declined.
  const brought = useRef(offered.peek()).current;
  return brought ? html`<${Offered} brought=${brought} />` : html`<${Present} />`;
}

function Offered({ brought }) {
  const own = useRef(key.peek()).current;
  const from = linkedFrom(document.referrer, location.host);
  const take = () => {
    keepKey(brought);
    closeDialog();
    retry();
  };
  const decline = () => {
    declineKey();
    closeDialog();
  };
  return html`<${Dialog} title=${own ? 'Another API key' : 'A key in the address'}>
    <div class="stack">
      <p>
        The link that you opened${from && html` on <b>${from}</b>`} has the API key <code>${start(brought)}</code> for <b>${location.host}</b>.
        ${own && html` The one in use is <code>${start(own)}</code>`}
      </p>
      <p class="soft">
        With it, what you upload and save goes to the account of whoever owns that key, who can see it.
        Use it only if it is yours, or if you know whose it is.
      </p>
      <div class="row row-end">
        <${Button} onClick=${take}>${own ? 'Use the other key' : 'Use this key'}<//>
        <${Button} kind="primary" onClick=${decline}>${own ? 'Keep the key in use' : 'Do not use it'}<//>
      </div>
    </div>
  <//>`;
}

const start = (text) => `${text.slice(0, 12)}…`;

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
      ${key.value && html`<p>In use: <code>${start(key.value)}</code></p>`}
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
