import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { loadCatalogue } from '../../../service/web/server/catalogue.js';
import { command } from '../../../service/web/snippets/film.js';
import { changeFilm, changeShown, chooseKeyframe, duration, filmBody, filmValue, keyframe, keyframes, moveKeyframe, ownRecordings, played, recording, removeKeyframe, setKeyframe, shownByEach, smaller, spreadTimes, withKeyframe } from '../../../service/web/state/film.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { present } from '../../../service/web/state/document.js';
import { hideDevice, moveDevice } from '../../../service/web/state/scene.js';
import { change, devices, film, replaceRequest, settings, undo } from '../../../service/web/state/store.js';
import './service.mjs';

before(() => Promise.all([loadSchema(), loadCatalogue()]));
beforeEach(() => {
  replaceRequest({});
  recording.value = null;
  ownRecordings.value = {};
});

test('only settings that differ from their defaults are sent', () => {
  changeFilm({ 'motion.fps': 25, 'export.format': 'gif' });
  changeFilm({ 'motion.fps': 30 });
  assert.deepEqual(film.value, { export: { format: 'gif' } });
  assert.equal(filmValue('motion.fps'), 30);
  undo();
  assert.equal(film.value.motion.fps, 25);
});

test('a film is as long as its recording', () => {
  assert.equal(duration(), 4, 'of a screenshot');
  assert.equal(played({ durationMs: 6000 }, { start: 1, end: 5, speed: 2 }), 2);
  recording.value = { durationMs: 6000 };
  assert.equal(duration(), 6);
  changeFilm({ 'motion.duration': 3 });
  assert.equal(duration(), 3);
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

test('a request leaves out hidden captions, and a still is smaller', () => {
  const source = { type: 'upload', src: 'x' };
  const of = { motion: { fps: 25 }, recording: { speed: 2 }, export: { format: 'gif' } };
  const body = filmBody(of, { device: 'pixel-9-pro' }, { recording: source });
  assert.deepEqual(body, { type: 'film', recording: { speed: 2, ...source }, settings: { device: 'pixel-9-pro' }, motion: { fps: 25 }, export: { format: 'gif' } });
  assert.deepEqual(filmBody(of, {}, { screenshot: source }, [{ depth: 1 }]).devices, [{ depth: 1 }]);
  const still = filmBody(of, {}, { screenshot: source });
  assert.deepEqual([still.screenshot, still.recording], [source, undefined]);
  assert.deepEqual(smaller({ canvas: { preset: 'full-hd' } }, { width: 1920, height: 1080 }, 230_400).canvas, { width: 640, height: 360 });
  const text = command(of, picture({ device: 'pixel-9-pro', captions: [{ text: 'x', hidden: true }] }), { name: "it's.mp4", durationMs: 1000 });
  assert.ok(text.endsWith("mockup film 'it'\\''s.mp4' -o film.gif --settings film.json\n"), text);
  assert.ok(!text.includes('hidden'));
});

const picture = (all) => ({ settings: all, devices: [], screenshots: [null] });

test('each device of a scene shows its own recording or screenshot', () => {
  const [source, shot] = [{ type: 'upload', src: 'r' }, { type: 'upload', src: 's' }];
  replaceRequest({ settings: {}, devices: [{ device: 'ipad-mini' }, { device: 'pixel-9-pro' }, { device: 'iphone-16-pro', hidden: true }] });
  ownRecordings.value = { a: { name: 'a.mp4', durationMs: 9000 } };
  assert.deepEqual(shownByEach.value, [{ screenshot: true }, { screenshot: true }], 'without a recording, their screenshots');
  changeShown(1, { recording: 'a', start: 2 });
  assert.equal(duration(), 7, 'as long as the longest');
  recording.value = { name: 'b.mp4', durationMs: 3000 };
  assert.deepEqual(shownByEach.value, [{}, { recording: 'a', start: 2 }]);
  moveDevice(1, 0);
  assert.deepEqual(shownByEach.value, [{ recording: 'a', start: 2 }, {}], 'it moves with its device');
  changeShown(0, { start: 0 });
  assert.deepEqual(devices.value[0].shows, { recording: 'a' }, 'only what differs is kept');
  hideDevice(0, true);
  assert.deepEqual([shownByEach.value, duration()], [[{}], 3]);
  hideDevice(0, false);
  assert.ok(!JSON.stringify(present.value).includes('shows'), 'projects have no recordings');
  const scene = { settings: settings.value, devices: devices.value, screenshots: [null, { name: 's.png' }, null] };
  assert.match(command({}, scene, recording.value, shownByEach.value, ownRecordings.value), /"src": "a.mp4"[^]*mockup film b.mp4 -o/);
  changeShown(1, { screenshot: true });
  assert.match(command({}, scene, recording.value, shownByEach.value, ownRecordings.value), /"screenshot": "s.png"[^]*mockup film -o/);
  recording.value = { name: 'a.mp4', durationMs: 3000 };
  ownRecordings.value = { a: { name: 'a.mp4' }, b: { name: 'a.mp4' } };
  const sources = (...each) => [...command({}, scene, recording.value, each, ownRecordings.value).matchAll(/"src": "(.*)"/g)].map(([, name]) => name);
  assert.deepEqual(sources({ recording: 'a' }, { recording: 'b' }), ['a.mp4', 'a-2.mp4'], 'different files have different names');
  assert.deepEqual(sources({ recording: 'a' }, { recording: 'a' }), ['a.mp4', 'a.mp4']);
  assert.deepEqual(sources({ recording: 'b' }, {}), ['a-2.mp4'], 'the film’s recording is another one');
  const shots = [{ id: 1, name: 's.png' }, { id: 2, name: 's.png' }, null];
  const shotsOf = (screenshots) => {
    const text = command({}, { ...scene, screenshots }, null, [{ screenshot: true }, { screenshot: true }], {});
    return [...text.matchAll(/"screenshot": "(.*)"/g)].map(([, name]) => name);
  };
  assert.deepEqual(shotsOf(shots), ['s.png', 's-2.png'], 'so have screenshots');
  assert.deepEqual(shotsOf([shots[0], shots[0], null]), ['s.png', 's.png']);
  assert.deepEqual(shotsOf([null, null, null]), ['screenshot.png', 'screenshot.png']);
  const list = [{ recording: source }, { screenshot: shot }];
  assert.deepEqual(filmBody({ recording: { speed: 2 } }, {}, { recording: source }, list), { type: 'film', devices: list, settings: {}, motion: {} });
  assert.deepEqual(filmBody({ recording: { speed: 2 } }, {}, { recording: source }, [{}, { screenshot: shot }]).recording, { speed: 2, ...source });
});
