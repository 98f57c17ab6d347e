import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { css, kindOf, showKind, spread, stops, withAnother, withStop, writeStops } from '../../../service/web/state/background.js';
import { drawn } from '../../../service/web/state/scene.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { change, replaceRequest, settings } from '../../../service/web/state/store.js';
import './service.mjs';

before(loadSchema);
beforeEach(() => replaceRequest({}));

test('stops without a place are spread evenly between their neighbours', () => {
  assert.deepEqual(spread([null, null, 0.8, null, null]), [0, 0.4, 0.8, 0.9, 1]);
  assert.deepEqual(spread([0.2, null]), [0.2, 1]);
});

test('a gradient of two colours becomes a gradient with stops', () => {
  showKind('gradient');
  assert.deepEqual(stops(), [{ color: '#F2F3F5', at: 0 }, { color: '#C9D6FF', at: 1 }]);
  writeStops(withAnother(stops()), null);
  writeStops(withStop(stops(), 1, { color: '#FF8866', at: 0.25 }), null);
  assert.deepEqual(settings.value.appearance.gradientStops[1], { color: '#FF8866', at: 0.25 });
  assert.equal(css(), 'linear-gradient(135deg, #F2F3F5 0%,#FF8866 25%,#C9D6FF 100%)');
  assert.deepEqual(withStop(stops(), 0, { at: 0.5 }).map(({ at }) => at), [0.25, 0.5, 1], 'in order');
  assert.equal(withAnother(stops())[2].at, 0.625, 'in the widest gap');
  change({ 'appearance.gradientAngle': 90, 'appearance.gradientType': 'conic' });
  showKind('color');
  assert.deepEqual(settings.value, {}, 'stops would show through, and the rest would have no effect');
});

test('a background has one kind and can be hidden', () => {
  assert.deepEqual([{}, { gradientStops: [1, 2] }, { gradientEnabled: false, gradientStops: [1, 2] }, { backgroundImage: {} }].map(kindOf), ['color', 'gradient', 'color', 'image']);
  showKind('image');
  change({ 'appearance.deviceColor': '#FF0000', 'appearance.hidden': true });
  const shown = drawn({ settings: settings.value, devices: [], screenshots: [null] }).settings;
  assert.deepEqual(shown.appearance, { deviceColor: '#FF0000', backgroundColor: 'transparent' });
});
