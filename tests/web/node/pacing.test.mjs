import assert from 'node:assert/strict';
import test from 'node:test';

import { pauseAfter } from '../../../service/web/server/pacing.js';

test('no drag reaches the rate limit', () => {
  for (const [cost, least] of [
    [5, 20],
    [15, 20],
    [60, 4],
    [400, 0.8],
  ]) {
    const { left, rate } = dragged(cost);
    assert.ok(left > 0, `pictures that take ${cost} ms meet the limit`);
    assert.ok(rate > least, `${rate} pictures a second that take ${cost} ms`);
  }
});

test('previews do not wait while most of the limit is left', () => {
  const given = [
    [2e4, 60],
    [9e3, 3],
    [0, 0],
    [0, 60],
  ];
  assert.deepEqual(
    given.map(([left, until]) => pauseAfter(50, left, until)),
    [0, 0, 0, 60_000],
  );
});

// Three minutes of dragging with 30 s of rendering in windows of 60 s: the least that was left, and pictures a second.
function dragged(cost) {
  const long = 180_000;
  let [now, left, ends, count, least] = [0, 30_000, 60_000, 0, 30_000];
  while (now < long) {
    now += cost * 1.3;
    if (now >= ends) [left, ends] = [30_000, now + 60_000];
    left -= cost;
    least = Math.min(least, left);
    count += 1;
    now += pauseAfter(cost, left, Math.ceil((ends - now) / 1000));
  }
  return { left: least, rate: (count / long) * 1000 };
}
