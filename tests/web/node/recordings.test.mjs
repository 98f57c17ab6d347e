import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { keepRecordings, leaveRecording, ownSource, recordingSource, takeOwnRecording } from '../../../service/web/server/recordings.js';
import { ownRecordings, recording, shownByEach } from '../../../service/web/state/film.js';
import { moveDevice, removeDevice } from '../../../service/web/state/scene.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { change, devices, replaceRequest, undo } from '../../../service/web/state/store.js';
import './service.mjs';

// What IndexedDB keeps, by key, and how often something was written.
const kept = new Map();
let writes = 0;
const objects = {
  get: (key) => done({ get result() { return kept.get(key); } }, 'onsuccess'), // transactions do not overlap
  put: (value, key) => {
    writes += 1;
    kept.set(key, value);
    return {};
  },
};
globalThis.indexedDB = { open: () => done({ result: { transaction: () => done({ objectStore: () => objects }, 'oncomplete') } }, 'onsuccess') };

function done(request, event) {
  queueMicrotask(() => request[event]());
  return request;
}

// Uploads that the server has not answered yet, each a function that answers it.
const uploads = [];
const LATER = '2999-01-01T00:00:00Z';
const passed = () => new Promise(setImmediate);

const fileOf = (name) => new Blob([name], { type: 'video/mp4' });
const files = () => Object.values(kept.get('recordings')).map(({ name }) => name);

// Has the server answer the oldest upload: with the id that it has now, or, without one, with an error.
async function answer(id) {
  const json = async () => (id ? { id, durationMs: 1000, expiresAt: LATER } : { error: { message: 'It is no film' } });
  uploads.shift()({ ok: Boolean(id), status: id ? 201 : 400, headers: new Headers(), json });
  await passed();
}

async function take(place, name) {
  const taking = takeOwnRecording(place, fileOf(name), name);
  await answer(name);
  return taking;
}

before(async () => {
  await loadSchema();
  globalThis.fetch = () => new Promise((resolve) => uploads.push(resolve));
  keepRecordings();
});
beforeEach(() => {
  ownRecordings.value = {};
  replaceRequest({ settings: {}, devices: [{ device: 'ipad-mini' }, { device: 'pixel-9-pro' }, { device: 'iphone-16-pro' }] });
});

test('recordings are kept while devices show them', async () => {
  await take(0, 'a.mp4');
  removeDevice(0);
  await passed();
  assert.deepEqual(files(), [], 'of a removed device, nothing is kept');
  await take(1, 'b.mp4');
  assert.deepEqual(files(), ['b.mp4']);
  undo();
  undo();
  await passed();
  assert.deepEqual([files(), shownByEach.value.length], [['a.mp4'], 3]);
  const before = writes;
  change({ 'deviceTransform.rotationY': 10 });
  devices.value = devices.value.map((one) => ({ ...one, depth: 1 }));
  await passed();
  assert.equal(writes, before, 'a drag writes no files');
});

test('recordings of other tabs are kept for a week', async () => {
  const day = 86_400_000;
  const theirs = { c: { name: 'c.mp4', used: Date.now() - 6 * day }, d: { name: 'd.mp4', used: Date.now() - 8 * day } };
  kept.set('recordings', theirs);
  await take(0, 'a.mp4');
  await passed();
  assert.deepEqual(files().sort(), ['a.mp4', 'c.mp4']);
  removeDevice(0);
  await passed();
  assert.deepEqual(files(), ['c.mp4']);
});

test('a recording goes to the device it was chosen for, wherever the device has moved', async () => {
  const taking = takeOwnRecording(1, fileOf('a'), 'a.mp4');
  moveDevice(1, 2);
  removeDevice(0);
  await answer('a');
  await taking;
  assert.deepEqual(devices.value.map(({ device, shows }) => [device, Boolean(shows?.recording)]), [['iphone-16-pro', false], ['pixel-9-pro', true]]);
  const lost = takeOwnRecording(1, fileOf('b'), 'b.mp4');
  removeDevice(1);
  await answer('b');
  await lost;
  assert.equal(devices.value[0]?.shows, undefined);
});

test('a refused recording leaves the device unchanged', async () => {
  await take(0, 'a.mp4');
  const { shows } = devices.value[0];
  const refused = assert.rejects(takeOwnRecording(0, fileOf('b'), 'b.mp4'), /no film/);
  moveDevice(0, 1);
  await answer();
  await refused;
  assert.deepEqual(devices.value.map((one) => one.shows), [undefined, shows, undefined]);
});

test('devices with the same expired recording upload it once', async () => {
  const shows = { recording: 'a' };
  ownRecordings.value = { a: { id: 'old', blob: fileOf('a'), expiresAt: '2000-01-01T00:00:00Z' } };
  const both = Promise.all([ownSource(shows), ownSource({ ...shows, speed: 2 })]);
  assert.equal(uploads.length, 1);
  await answer('new');
  assert.deepEqual(await both, [{ type: 'upload', src: 'new' }, { speed: 2, type: 'upload', src: 'new' }]);
  assert.equal(ownRecordings.value.a.id, 'new');
  await ownSource(shows);
  assert.equal(uploads.length, 0, 'it is sent again only when it expires');
});

test('a recording removed during its upload does not come back', async () => {
  recording.value = { id: 'old', blob: fileOf('a'), expiresAt: '2000-01-01T00:00:00Z' };
  const source = recordingSource();
  leaveRecording();
  await answer('new');
  assert.deepEqual([await source, recording.value], [{ type: 'upload', src: 'new' }, null]);
});
