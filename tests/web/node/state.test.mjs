import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { effect } from '../../../service/web/html.js';
import { loadCatalogue } from '../../../service/web/server/catalogue.js';
import { decode, encode } from '../../../service/web/state/fragment.js';
import { canvasSize } from '../../../service/web/state/picture.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import {
  begin,
  cancel,
  canUndo,
  change,
  commit,
  isSet,
  redo,
  replaceSettings,
  settings,
  undo,
  value,
} from '../../../service/web/state/store.js';
import { transformBy } from '../../../service/web/state/transform.js';
import './service.mjs';

before(() => Promise.all([loadSchema(), loadCatalogue()]));
beforeEach(() => {
  while (canUndo.value) undo();
});

test('only settings that differ from their defaults are sent', () => {
  replaceSettings({});
  change({ 'shadow.blur': 9, 'shadow.opacity': 0.2 });
  assert.deepEqual(settings.value, { shadow: { blur: 9, opacity: 0.2 } });
  change({ 'shadow.blur': 5 });
  assert.deepEqual(settings.value, { shadow: { opacity: 0.2 } });
  change({ 'shadow.opacity': undefined });
  assert.deepEqual(settings.value, {});
});

test('undo takes back a setting’s changes, or a gesture, in one step', (t) => {
  t.mock.method(performance, 'now', () => 0); // however slow the machine
  const blur = () => settings.value.shadow?.blur;
  change({ 'shadow.blur': 6 });
  change({ 'shadow.blur': 7 });
  change({ 'shadow.color': '#ff0000' });
  undo();
  assert.equal(blur(), 7);
  undo();
  assert.equal(blur(), undefined, "a slider's changes are one step");
  redo();
  assert.equal(blur(), 7);
  begin();
  change({ 'shadow.blur': 1 });
  change({ 'shadow.blur': 2 });
  change({ 'shadow.blur': 3 });
  commit();
  undo();
  assert.equal(blur(), 7, 'a gesture is one step');
  begin();
  change({ 'shadow.blur': 1 });
  cancel();
  assert.equal(blur(), 7);
  begin();
  change({ 'shadow.blur': 1 });
  change({ 'shadow.blur': 7 });
  commit();
  undo();
  assert.equal(blur(), undefined, 'a gesture that ends where it began is none');
  assert.ok(!canUndo.value);
});

test('effects run only when a value they read changes', () => {
  const seen = [];
  const stop = effect(() => void seen.push([value('shadow.blur'), isSet('shadow.blur'), canvasSize.value.width]));
  change({ 'deviceTransform.rotationY': 10, 'shadow.opacity': 0.2 });
  change({ 'shadow.blur': 9 });
  change({ 'canvas.width': 800 });
  stop();
  assert.deepEqual(seen, [[5, false, 1920], [9, true, 1920], [9, true, 800]]);
});

test('a turn keeps the rest of the pose', () => {
  change({ 'deviceTransform.pose': 'hero-left' });
  transformBy({ rotationY: -20 });
  const turned = { rotationX: 10, rotationY: -20, rotationZ: 6, fieldOfView: 22, framing: 'posed' };
  assert.deepEqual(settings.value.deviceTransform, turned);
  undo();
  transformBy({ scale: 1.2 });
  assert.deepEqual(settings.value.deviceTransform, { pose: 'hero-left', scale: 1.2 });
});

test('null stands for a default', () => {
  const effects = { grain: { amount: null } };
  replaceSettings({ shadow: { blur: null, opacity: 0.1 }, canvas: null, postProcessing: effects });
  assert.deepEqual(settings.value, { shadow: { opacity: 0.1 }, postProcessing: { grain: {} } });
});

test('fragments encode and decode any settings', () => {
  const given = { screen: { title: 'Überblick — 日本 🙂' }, shadow: { blur: 0 } };
  assert.match(encode(given), /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(decode(encode(given)), given);
  assert.equal(decode('nonsense'), null);
  assert.equal(decode('WzFd'), null);
});
