// A small plot of the last minutes. Its values can be read with the pointer or the arrow keys.
import { html, useId, useState } from '../html.js';
import { EVERY_MS, KEPT_MS } from './history.js';

const [WIDTH, HEIGHT] = [300, 80];
const LEAST_MS = 60_000;
const GAP_MS = 3 * EVERY_MS; // points further apart than this are not joined

/**
 * `series` are `{label, tone, values}`, `values` one for each of `times`, null where there is none; `tone` is the name
 * of a colour. `most` is the top of the plot if it is known, `format` writes a value, and `note` is shown beside the
 * title.
 */
export function Plot({ title, note, times, series, most, format }) {
  const id = useId();
  const [at, setAt] = useState(null);
  const known = series.flatMap((one) => one.values).filter((value) => value !== null);
  const top = most || nice(Math.max(0, ...known));
  const now = times.at(-1) ?? 0;
  const span = Math.min(KEPT_MS, Math.max(LEAST_MS, now - (times[0] ?? now)));
  const x = (time) => WIDTH * (1 - (now - time) / span);
  const y = (value) => HEIGHT - (HEIGHT - 2) * Math.min(1, value / top) - 1;
  const index = at === null ? times.length - 1 : Math.max(0, nearest(times, at));
  const point = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(now - span * (1 - (event.clientX - left) / width));
  };
  const step = (event) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: times.length - 1 }[event.key];
    if (to === undefined || !times.length) return;
    event.preventDefault();
    setAt(times[Math.min(times.length - 1, Math.max(0, to))]);
  };
  const when = at === null ? '' : `${Math.round((now - (times[index] ?? now)) / 1000)} s ago`;
  return html`<section class="plot" tabindex="0" role="group" aria-labelledby="${id}-title" aria-describedby="${id}-values"
    onKeyDown=${step} onBlur=${() => setAt(null)}>
    <header class="plot-head"><h3 id="${id}-title">${title}</h3><span class="plot-note">${when || note}</span></header>
    <dl class="plot-values" id="${id}-values" aria-live=${at === null ? 'off' : 'polite'}>
      ${series.map(
        ({ label, tone, values }) => html`<div key=${label}><dt class="tone tone-${tone}">${label}</dt><dd>${format(values[index] ?? null)}</dd></div>`,
      )}
    </dl>
    <div class="plot-place" onPointerMove=${point} onPointerLeave=${() => setAt(null)}>
      <span class="plot-top" aria-hidden="true">${known.length ? format(top) : ''}</span>
      <span class="plot-span" aria-hidden="true">${known.length ? spanned(span) : ''}</span>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        <path class="plot-grid" d="M0 ${HEIGHT / 2}H${WIDTH}M0 1H${WIDTH}" />
        ${series.map(({ label, tone, values }, number) => {
          const runs = runsOf(times, values);
          const line = runs.map((run) => `M${run.map(([time, value]) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`);
          const fill = runs.map((run, one) => `${line[one]}V${HEIGHT}H${x(run[0][0]).toFixed(1)}Z`);
          return html`<g key=${label} class="tone-${tone}">
            ${number === 0 && html`<path class="plot-fill" d=${fill.join('')} />`}
            <path class="plot-line" d=${line.join('')} />
          </g>`;
        })}
        ${at !== null && html`<path class="plot-cursor" d="M${x(times[index]).toFixed(1)} 0V${HEIGHT}" />`}
      </svg>
    </div>
  </section>`;
}

function runsOf(times, values) {
  const runs = [];
  times.forEach((time, at) => {
    if (values[at] === null) return;
    const last = runs.at(-1);
    if (last && time - last.at(-1)[0] <= GAP_MS) last.push([time, values[at]]);
    else runs.push([[time, values[at]]]);
  });
  // A single point is drawn as a short line.
  return runs.map((run) => (run.length > 1 ? run : [[run[0][0] - EVERY_MS / 2, run[0][1]], run[0]]));
}

function nearest(times, wanted) {
  const far = (at) => Math.abs(times[at] - wanted);
  return times.reduce((best, _, at) => (far(at) < far(best) ? at : best), 0);
}

const spanned = (span) => (span < 120_000 ? `${Math.round(span / 1000)} s` : `${Math.round(span / 60_000)} min`);

/** The next larger of 1, 2 or 5 times a power of ten. */
function nice(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * [1, 2, 5, 10].find((step) => step * unit >= value);
}
