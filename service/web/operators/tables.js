// The outcomes of requests for pictures, the times of their stages, and all figures.
import { html, useState } from '../html.js';
import { Segmented } from '../components/segmented.js';
import { count, seconds } from './amounts.js';
import { ago, growth, labelled, mean, quantile } from './figures.js';
import { history, latest } from './history.js';

const MINUTE_MS = 60_000;
const PERIODS = [
  { value: 'minute', label: 'Last minute' },
  { value: 'start', label: 'Since the start' },
];
// In the order of a render; stages that are not named here come last.
const STAGES = ['source', 'header', 'plate', 'decode', 'warp', 'compose', 'encode'];
const MEANINGS = {
  ok: 'made', invalid: 'an error in the request', unauthorized: 'no valid key', forbidden: 'no subscription', limited: 'rate limit reached',
  superseded: 'a newer preview took its place', client_closed: 'the caller left', busy: 'the queue was full', timeout: 'took too long',
  failed: 'an error of the service',
};
const BAD = ['failed', 'timeout', 'busy'];

export function Tables() {
  const [period, setPeriod] = useState('minute');
  const before = period === 'minute' ? ago(history.value, MINUTE_MS) : null;
  return html`<section class="tables" aria-labelledby="tables-title">
    <header class="section-head">
      <h2 id="tables-title">Pictures</h2>
      <${Segmented} label="Period" options=${PERIODS} value=${period} onChange=${setPeriod} />
    </header>
    <div class="tables-row">
      <${Outcomes} before=${before} />
      <${Stages} before=${before} />
    </div>
  </section>`;
}

function Outcomes({ before }) {
  const now = latest.value;
  const operations = labelled(now, 'mockup_renders_total', 'operation');
  const amount = (outcome, operation) => growth(before, now, 'mockup_renders_total', { outcome, operation });
  const rows = Object.keys(MEANINGS).filter((outcome) => operations.some((operation) => amount(outcome, operation) > 0));
  if (!rows.length) return html`<${Empty} title="By outcome" />`;
  return html`<div class="card">
    <table class="figures">
      <caption>By outcome</caption>
      <thead><tr><th scope="col">Outcome</th>${operations.map((one) => html`<th key=${one} scope="col" class="amount">${one === 'preview' ? 'Previews' : 'Mockups'}</th>`)}</tr></thead>
      <tbody>
        ${rows.map(
          (outcome) => html`<tr key=${outcome} class=${BAD.includes(outcome) ? 'row-bad' : ''}>
            <th scope="row"><code>${outcome}</code> <span class="soft">${MEANINGS[outcome]}</span></th>
            ${operations.map((operation) => html`<td key=${operation} class="amount">${count(amount(outcome, operation))}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function Stages({ before }) {
  const now = latest.value;
  const order = (stage) => (STAGES.indexOf(stage) + STAGES.length + 1) % (STAGES.length + 1);
  const rows = labelled(now, 'mockup_stage_seconds_count', 'stage')
    .sort((a, b) => order(a) - order(b))
    .map((stage) => ({
      stage,
      usual: mean(before, now, 'mockup_stage_seconds', { stage }),
      slow: quantile(before, now, 'mockup_stage_seconds', 0.95, { stage }),
    }))
    .filter(({ usual }) => usual !== null);
  if (!rows.length) return html`<${Empty} title="Time by stage" />`;
  const longest = Math.max(...rows.map(({ usual }) => usual));
  return html`<div class="card">
    <table class="figures">
      <caption>Time by stage</caption>
      <thead><tr><th scope="col">Stage</th><th scope="col"><span class="visually-hidden">Share</span></th><th scope="col" class="amount">Mean</th><th scope="col" class="amount">95 %</th></tr></thead>
      <tbody>
        ${rows.map(
          ({ stage, usual, slow }) => html`<tr key=${stage}>
            <th scope="row"><code>${stage}</code></th>
            <td class="bar-place"><span class="bar" style=${{ '--share': usual / longest }} /></td>
            <td class="amount">${seconds(usual)}</td>
            <td class="amount">${seconds(slow)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function Empty({ title }) {
  return html`<div class="card card-empty"><h3>${title}</h3><p class="soft">No pictures in this time</p></div>`;
}

export function Everything() {
  const [open, setOpen] = useState(false);
  // The list has thousands of elements, which are not updated while it is closed.
  const metrics = open ? latest.value.metrics : [];
  const shown = (metric) => metric.samples.filter((sample) => !sample.name.endsWith('_bucket'));
  const labels = (sample) => Object.entries(sample.labels).map(([name, value]) => `${name}=${value}`).join(' ');
  return html`<details class="card everything" onToggle=${(event) => setOpen(event.target.open)}>
    <summary><h2>All figures</h2></summary>
    ${open &&
    html`<div class="everything-list" tabindex="0" role="region" aria-label="All figures">
      <table class="figures">
        <thead><tr><th scope="col">Name</th><th scope="col">Labels</th><th scope="col" class="amount">Value</th></tr></thead>
        <tbody>
          ${metrics.flatMap((metric) =>
            shown(metric).map(
              (sample) => html`<tr key=${`${sample.name} ${labels(sample)}`} title=${metric.help}>
                <th scope="row"><code>${sample.name}</code></th><td>${labels(sample)}</td><td class="amount">${sample.value}</td>
              </tr>`,
            ),
          )}
        </tbody>
      </table>
    </div>`}
  </details>`;
}
