import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { loadCatalogue } from '../../../service/web/server/catalogue.js';
import { command } from '../../../service/web/snippets/film.js';
import { changeFilm, chooseKeyframe, durationOf, filmBody, filmValue, keyframe, keyframes, moveKeyframe, removeKeyframe, setKeyframe, smaller, spreadTimes, withKeyframe } from '../../../service/web/state/film.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { change, film, replaceRequest, settings, undo } from '../../../service/web/state/store.js';
import './service.mjs';

before(() => Promise.all([loadSchema(), loadCatalogue()]));
beforeEach(() => replaceRequest({}));

test('only what differs is sent', () => {
  changeFilm({ 'motion.fps': 25, 'export.format': 'gif' });
  changeFilm({ 'motion.fps': 30 });
  assert.deepEqual(film.value, { export: { format: 'gif' } });
  assert.equal(filmValue('motion.fps'), 30);
  undo();
  assert.equal(film.value.motion.fps, 25);
});

test('a film is as long as its recording', () => {
  const recording = { durationMs: 6000 };
  assert.equal(durationOf({}, null), 4);
  assert.equal(durationOf({ recording: { start: 1, end: 5, speed: 2 } }, recording), 2);
  assert.equal(durationOf({ motion: { duration: 3 } }, recording), 3);
  assert.deepEqual(spreadTimes(2, 4), [0, 0.5, 1, 1.5]);
});

test('keyframes are set, chosen and moved', () => {
  changeFilm({ 'motion.move': { name: 'float' }, 'motion.duration': 4 });
  setKeyframe(1);
  assert.equal(film.value.motion.move, undefined, 'it is one or the other');
  change({ 'deviceTransform.rotationY': 30 });
  setKeyframe(0);
  assert.deepEqual(keyframes().map(({ at, deviceTransform: { rotationY } }) => [at, rotationY]), [[0, 30], [1, 0]]);
  chooseKeyframe(1);
  assert.equal(settings.value.deviceTransform.rotationY, 0, 'the stage takes its pose');
  moveKeyframe(1, 9);
  assert.equal(keyframes()[1].at, 4, 'within the film');
  moveKeyframe(1, -1);
  assert.ok(keyframes()[1].at > 0, 'behind the one before');
  removeKeyframe(0);
  removeKeyframe(0);
  assert.deepEqual([keyframes(), keyframe.value], [[], null]);
  const [list] = [withKeyframe([{ at: 1, ease: 'linear', deviceTransform: {} }], 1.01, { scale: 2 }, 30).list];
  assert.deepEqual(list, [{ at: 1, ease: 'linear', deviceTransform: { scale: 2 } }], 'the one that is there is replaced');
});

test('a request has what is shown, and a still is smaller', () => {
  const source = { type: 'upload', src: 'x' };
  const of = { motion: { fps: 25 }, recording: { speed: 2 }, export: { format: 'gif' } };
  const body = filmBody(of, { device: 'pixel-9-pro' }, { recording: source }, { durationMs: 1000 });
  assert.deepEqual(body, { type: 'film', recording: { speed: 2, ...source }, settings: { device: 'pixel-9-pro' }, motion: { fps: 25 }, export: { format: 'gif' } });
  assert.deepEqual(filmBody(of, {}, { screenshot: source }, null, [{ depth: 1 }]).devices, [{ depth: 1 }]);
  const still = filmBody(of, {}, { screenshot: source }, null);
  assert.deepEqual([still.screenshot, still.recording, still.motion.duration], [source, undefined, 4]);
  assert.deepEqual(smaller({ canvas: { preset: 'full-hd' } }, { width: 1920, height: 1080 }, 230_400).canvas, { width: 640, height: 360 });
  const text = command(of, { device: 'pixel-9-pro', captions: [{ text: 'x', hidden: true }] }, [], { name: "it's.mp4", durationMs: 1000 });
  assert.ok(text.endsWith("mockup film 'it'\\''s.mp4' -o film.gif --settings film.json\n"), text);
  assert.ok(!text.includes('hidden'));
});
