import assert from 'node:assert/strict';
import test from 'node:test';

import { mean, perMinute, quantile, snapshotOf } from '../../../service/web/operators/figures.js';

// Browsers have it since 2024, Node.js since 21.
Map.groupBy ??= (items, key) => {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

function snapshot(low, high, time) {
  const buckets = { 1: low, 3: low + high, '+Inf': low + high };
  const samples = Object.entries(buckets).map(([le, value]) => ({ name: 't_bucket', labels: { le }, value }));
  samples.push({ name: 't_sum', labels: {}, value: low + 2 * high });
  samples.push({ name: 't_count', labels: {}, value: low + high });
  return snapshotOf({ versions: {}, metrics: [{ samples }] }, time);
}

test('figures of histograms and counters equal values computed by hand', () => {
  // Of ten new values, four are up to 1 and six between 1 and 3.
  const [before, after] = [snapshot(1, 1, 60_000), snapshot(5, 7, 300_000)];
  assert.ok(Math.abs(quantile(before, after, 't', 0.5) - (1 + 2 / 6)) < 1e-9);
  assert.equal(quantile(before, after, 't', 0.2), 0.5);
  assert.equal(mean(before, after, 't'), 1.6);
  assert.equal(perMinute(before, after, 't_count'), 2.5);
  assert.equal(quantile(after, after, 't', 0.5), null);
  assert.equal(mean(after, after, 't'), null);
});
