// The operators' page: the state of the server, plots of the last minutes, and tables.
import { html, useId } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { ThemeButton } from '../components/theme.js';
import { keepKey, key } from '../state/key.js';
import { duration } from './amounts.js';
import { total } from './figures.js';
import { ask, failure, latest, paused } from './history.js';
import { Plots } from './plots.js';
import { Everything, Tables } from './tables.js';

export function Page() {
  const locked = [401, 403].includes(failure.value?.status);
  return html`<header class="topbar">
      <h1 class="brand"><img src=${new URL('../icon.svg', import.meta.url).pathname} width="24" height="24" alt="" /><span>Status</span></h1>
      <nav class="topbar-group" aria-label="Pages">
        <a class="button button-quiet" href="/">Studio</a>
        <a class="button button-quiet" href="/docs">API</a>
      </nav>
      <div class="topbar-space" />
      ${!locked &&
      html`<${Button} icon=${paused.value ? 'play' : 'pause'} onClick=${() => (paused.value = !paused.value)}>${paused.value ? 'Resume' : 'Pause'}<//>`}
      <${ThemeButton} />
    </header>
    <main class="operators-main">
      ${locked ? html`<${KeyForm} />` : html`<${Health} />${latest.value && html`<${Plots} /><${Tables} /><${Everything} />`}`}
    </main>`;
}

// The problems that an operator has to know about at once, the worst first.
const TROUBLES = [
  [(now) => total(now, 'mockup_workers_up') === 0, 'bad', 'No pictures can be made', 'The renderers do not start; the log says why.'],
  [(now) => total(now, 'mockup_renders_held') >= total(now, 'mockup_renders_capacity'), 'bad', 'The queue is full', 'Requests for pictures are refused with 503.'],
  [(now) => total(now, 'mockup_limits_degraded') > 0, 'warning', 'Redis does not respond', 'Requests are counted by this instance alone.'],
  [(now) => total(now, 'mockup_sandbox') === 0, 'warning', 'Screenshots are decoded without a sandbox', 'See MOCKUP_ALLOW_UNSANDBOXED.'],
];

function Health() {
  const now = latest.value;
  const lost = failure.value;
  if (!now && !lost) return html`<p class="health health-waiting" role="status"><span class="health-dot" />Asking for figures…</p>`;
  const [, kind, title, text] = lost
    ? [null, 'bad', lost.status === 0 ? 'The server cannot be reached' : 'There are no figures', now ? `Last seen at ${new Date(now.time).toLocaleTimeString()}.` : `${lost.message}.`]
    : (TROUBLES.find(([holds]) => holds(now)) ?? [null, 'good', 'Taking work', '']);
  const facts = now && [
    ['Version', now.versions.service],
    ['Python', now.versions.python],
    ['Renderers', total(now, 'mockup_renderers')],
    ['Replaced', total(now, 'mockup_renderers_replaced_total')],
    ['Up for', duration(now.time / 1000 - now.started)],
  ];
  return html`<section class="health health-${kind}" aria-label="Health">
    <p class="health-title" role="status"><span class="health-dot" aria-hidden="true" /><b>${title}</b>${text && html` <span class="soft">${text}</span>`}</p>
    ${facts && html`<dl class="facts">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
  </section>`;
}

function KeyForm() {
  const id = useId();
  const { status, message } = failure.value;
  const fault = key.value ? message : '';
  const submit = (event) => {
    event.preventDefault();
    keepKey(new FormData(event.target).get('key'));
    ask();
  };
  return html`<form class="card locked" onSubmit=${submit}>
    <${Icon} name="key" size=${22} />
    <h2>${status === 403 ? 'This key is not an administrator’s' : 'Enter an administrator’s key'}</h2>
    <p class="soft">Its user must be named in <code>MOCKUP_ADMINS</code>. On the server’s own machine, no key is needed.</p>
    <div class="field">
      <label class="field-label" for=${id}>API key</label>
      <input class="input" id=${id} name="key" type="password" autocomplete="off" spellcheck=${false} required placeholder="sk_live_…"
        aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? `${id}-fault` : undefined} />
      ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
    </div>
    <${Button} kind="primary" type="submit">Show the status<//>
  </form>`;
}
