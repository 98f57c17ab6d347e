// Why there is no picture (no key, busy, limited, offline, an error), with what the user can do about it.
import { html, signal, useEffect, useId } from '../html.js';
import { Button } from '../components/button.js';
import { isLocal } from '../browser/host.js';
import { Icon } from '../components/icon.js';
import { picture, retry } from '../server/live.js';
import { keepKey, key } from '../state/key.js';
import { faults, status } from '../state/status.js';

const TITLES = {
  busy: 'The server is busy',
  limited: 'The limit is reached',
  offline: 'The server cannot be reached',
  failed: 'The picture could not be made',
};
const ICONS = { busy: 'clock', limited: 'clock', offline: 'offline', failed: 'warning', refused: 'warning' };
const now = signal(Date.now());

export function Notice() {
  const { kind, message, until } = status.value;
  useEffect(() => {
    if (!until) return undefined;
    now.value = Date.now();
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  if (kind === 'unauthorized') return html`<${KeyForm} message=${message} />`;
  if (kind === 'refused') {
    const unplaced = Object.keys(faults.value).length ? Object.entries(faults.value) : [['', message]];
    return html`<div class="notice notice-refused" role="alert" data-control>
      <${Icon} name="warning" />
      <div>${unplaced.map(([path, text]) => html`<p key=${path}>${path && html`<code>${path}</code> `}${text}</p>`)}</div>
    </div>`;
  }
  if (!(kind in TITLES)) {
    return picture.value ? null : html`<div class="loading" aria-hidden="true"><span class="spinner" /></div>`;
  }
  const seconds = until ? Math.max(0, Math.ceil((until - now.value) / 1000)) : 0;
  return html`<div class="notice" role="status" data-control>
    <${Icon} name=${ICONS[kind]} />
    <div>
      <p class="notice-title">${TITLES[kind]}</p>
      <p class="notice-text" aria-live="off">${until ? html`Trying again in ${seconds} s` : message}</p>
    </div>
    <${Button} small onClick=${retry}>Try now<//>
  </div>`;
}

function KeyForm({ message }) {
  const id = useId();
  const submit = (event) => {
    event.preventDefault();
    keepKey(new FormData(event.target).get('key'));
    retry();
  };
  return html`<form class="key-form" onSubmit=${submit} data-control>
    <div class="key-mark"><${Icon} name="key" size=${22} /></div>
    <h2>Enter your API key</h2>
    <p>It stays in this browser and is sent to this server only.</p>
    <label class="field-label" for=${id}>API key</label>
    <input
      class="input"
      id=${id}
      name="key"
      type="password"
      autocomplete="off"
      spellcheck=${false}
      placeholder="sk_live_…"
      required
      aria-invalid=${message ? 'true' : undefined}
      aria-describedby=${message ? `${id}-fault` : undefined}
    />
    ${message && html`<p class="field-fault" id="${id}-fault">${message}</p>`}
    <${Button} kind="primary" type="submit">Continue<//>
    <p class="key-help">
      No key? ${isLocal(location.hostname)
        ? html`Start the server with <code>make run</code>; it prints an address that carries one.`
        : html`Whoever runs <b>${location.host}</b> issues them.`}
    </p>
  </form>`;
}
