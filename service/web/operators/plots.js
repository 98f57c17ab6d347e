// The plots: each line takes a value from two consecutive snapshots.
import { computed, html } from '../html.js';
import { bytes, count, percent, seconds } from './amounts.js';
import { growth, hitRate, perMinute, quantile, total } from './figures.js';
import { history, latest } from './history.js';
import { Plot } from './plot.js';

const SUM_MS = 10_000; // rare events are counted over this time

// Rates compare with an older snapshot, so that a single picture does not make a peak.
const pairs = computed(() => {
  const all = history.value;
  let from = 0;
  return all.slice(1).map((after, at) => {
    while (from < at && after.time - all[from + 1].time >= SUM_MS) from += 1;
    return [all[from], after];
  });
});

const ofPictures = (outcomes) => (before, after) =>
  outcomes.reduce((sum, outcome) => sum + perMinute(before, after, 'mockup_renders_total', { outcome }), 0);
const gauge = (name, labels) => (_, after) => total(after, name, labels);
const spread = (name, share) => (before, after) => quantile(before, after, name, share);

const PLOTS = [
  {
    title: 'Pictures a minute',
    format: count,
    lines: [
      ['Made', 'main', ofPictures(['ok'])],
      ['Turned away', 'third', ofPictures(['busy', 'limited', 'unauthorized', 'forbidden', 'invalid'])],
      ['Failed', 'bad', ofPictures(['failed', 'timeout'])],
    ],
  },
  {
    title: 'Queue',
    format: count,
    note: (now) => `${count(total(now, 'mockup_renders_held'))} of ${count(total(now, 'mockup_renders_capacity'))} places`,
    lines: [
      ['Running', 'main', gauge('mockup_renders_running')],
      ['Waiting', 'third', gauge('mockup_renders_waiting', { kind: 'render' })],
      ['Previews', 'second', gauge('mockup_renders_waiting', { kind: 'preview' })],
    ],
  },
  {
    title: 'Wait for a turn',
    format: seconds,
    lines: [
      ['Median', 'main', spread('mockup_queue_wait_seconds', 0.5)],
      ['95 %', 'third', spread('mockup_queue_wait_seconds', 0.95)],
    ],
  },
  {
    title: 'Cache hits',
    format: percent,
    most: () => 1,
    lines: [
      ['Plates', 'main', (before, after) => hitRate(before, after, 'plates')],
      ['Screenshots', 'second', (before, after) => hitRate(before, after, 'screenshots')],
    ],
  },
  {
    title: 'Cache memory',
    format: bytes,
    note: (now) => `up to ${bytes(total(now, 'mockup_cache_limit_bytes'))}`,
    lines: [
      ['Plates', 'main', gauge('mockup_cache_bytes', { cache: 'plates' })],
      ['Screenshots', 'second', gauge('mockup_cache_bytes', { cache: 'screenshots' })],
    ],
  },
  {
    title: 'Memory',
    format: bytes,
    most: (now) => total(now, 'mockup_memory_limit_bytes'),
    note: (now) => `of ${bytes(total(now, 'mockup_memory_limit_bytes'))}`,
    lines: [
      ['Whole container', 'main', gauge('mockup_memory_bytes')],
      ['Server process', 'second', gauge('process_resident_memory_bytes')],
    ],
  },
  {
    title: 'In flight',
    format: bytes,
    note: (now) => `up to ${bytes(total(now, 'mockup_in_flight_limit_bytes'))}`,
    lines: [['Requests and responses', 'main', gauge('mockup_in_flight_bytes')]],
  },
  {
    title: 'Server process',
    format: percent,
    most: () => 1,
    note: () => 'of one processor',
    lines: [['Busy', 'main', (before, after) => growth(before, after, 'process_cpu_seconds_total') / ((after.time - before.time) / 1000)]],
  },
];

export function Plots() {
  const times = pairs.value.map(([, after]) => after.time);
  const drawn = PLOTS.map((plot) => {
    const series = plot.lines.map(([label, tone, of]) => ({ label, tone, values: pairs.value.map(([before, after]) => of(before, after)) }));
    const most = plot.most?.(latest.value);
    return html`<${Plot} key=${plot.title} title=${plot.title} note=${plot.note?.(latest.value)} format=${plot.format}
      times=${times} series=${series} most=${most} />`;
  });
  return html`<section class="plots" aria-labelledby="plots-title"><h2 class="visually-hidden" id="plots-title">The last minutes</h2>${drawn}</section>`;
}
