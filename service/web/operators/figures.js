// Figures computed from the metrics, as pure functions of snapshots: `{time, started, versions, metrics,
// samples}`, the last a list of `{name, labels, value}` by name. Counters only ever grow, so their growth is
// shown.

export function snapshotOf({ versions, metrics }, time) {
  const samples = Map.groupBy(metrics.flatMap((metric) => metric.samples), (sample) => sample.name);
  return { time, started: samples.get('process_start_time_seconds')?.[0].value ?? 0, versions, metrics, samples };
}

/** The sum of the samples of a name that have these labels; 0 if there are none, or no snapshot. */
export function total(snapshot, name, labels = {}) {
  return matching(snapshot, name, labels).reduce((sum, sample) => sum + sample.value, 0);
}

/** How much a counter grew from one snapshot to another, or since the start of the server. */
export function growth(before, after, name, labels = {}) {
  return total(after, name, labels) - total(before, name, labels);
}

/** The growth for each minute that passed between two snapshots. */
export function perMinute(before, after, name, labels = {}) {
  return (growth(before, after, name, labels) * 60_000) / (after.time - before.time);
}

/** The mean of a histogram's new values; null if there are none. */
export function mean(before, after, name, labels = {}) {
  const count = growth(before, after, `${name}_count`, labels);
  return count > 0 ? growth(before, after, `${name}_sum`, labels) / count : null;
}

/**
 * The quantile of a histogram's new values at a share (0–1); null if there are none. Values are taken as
 * evenly spread within their bucket, and those beyond the last bound count as that bound.
 */
export function quantile(before, after, name, share, labels = {}) {
  const bounds = [...new Set(matching(after, `${name}_bucket`, labels).map((sample) => sample.labels.le))].sort((a, b) => bound(a) - bound(b));
  const counts = bounds.map((le) => growth(before, after, `${name}_bucket`, { ...labels, le }));
  const rank = (counts.at(-1) ?? 0) * share;
  if (!(rank > 0)) return null;
  const at = counts.findIndex((count) => count >= rank);
  const [low, high] = [at > 0 ? bound(bounds[at - 1]) : 0, bound(bounds[at])];
  if (high === Infinity) return low;
  const below = at > 0 ? counts[at - 1] : 0;
  return low + ((high - low) * (rank - below)) / (counts[at] - below);
}

/** The share (0–1) of a cache's look-ups that found something; null if there were none. */
export function hitRate(before, after, cache) {
  const [hits, misses] = ['hits', 'misses'].map((one) => growth(before, after, `mockup_cache_${one}_total`, { cache }));
  return hits + misses > 0 ? hits / (hits + misses) : null;
}

/** The values of a label among the samples of a name, sorted. */
export function labelled(snapshot, name, label) {
  return [...new Set(matching(snapshot, name, {}).map((sample) => sample.labels[label]))].sort();
}

/** The snapshot that was the latest one some time ago; the first if none is that old. */
export function ago(history, time) {
  const now = history.at(-1)?.time ?? 0;
  return history.findLast((one) => now - one.time >= time) ?? history[0] ?? null;
}

function matching(snapshot, name, labels) {
  const wanted = Object.entries(labels);
  return (snapshot?.samples.get(name) ?? []).filter((sample) => wanted.every(([label, value]) => sample.labels[label] === value));
}

const bound = (le) => (le === '+Inf' ? Infinity : Number(le));
