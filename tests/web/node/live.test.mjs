import assert from 'node:assert/strict';
import test, { before, mock } from 'node:test';

import { awaitInput, beforeAsking, picture, retry, startLive } from '../../../service/web/server/live.js';
import { key } from '../../../service/web/state/key.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { status } from '../../../service/web/state/status.js';
import { begin, change, commit } from '../../../service/web/state/store.js';
import { room } from '../../../service/web/state/zoom.js';
import './service.mjs';

const SERVER_MS = 5;
const GAP_MS = 20; // the shortest time between two previews
const FIRST_MS = 100; // for the first picture of the page
const SOON_MS = 50;
const REST_MS = 140;
const WAIT_S = 600;
const requests = []; // previews that the server has not answered yet, each a function that answers it

const passed = () => new Promise(setImmediate);

async function pass(ms) {
  mock.timers.tick(ms);
  await passed();
}

async function draw({ spent = SERVER_MS, waited = 0 } = {}) {
  const headers = new Headers({ 'X-Duration-Ms': spent, 'Server-Timing': `queue;dur=${waited}` });
  requests.shift()({ ok: true, status: 200, headers, blob: async () => new Blob() });
  await passed();
}

async function refuse() {
  requests.shift()({ ok: false, status: 429, headers: new Headers({ 'Retry-After': WAIT_S }), json: async () => ({ code: 'RATE_LIMITED' }) });
  await passed();
}

async function turn(angle) {
  change({ 'deviceTransform.rotationY': angle });
  await passed();
}

// Requests a second preview, which is sent `gap` ms after the first.
async function askedAfter(angle, gap) {
  await turn(angle);
  await pass(gap - 1);
  assert.equal(requests.length, 1);
  await pass(1);
  assert.equal(requests.length, 2);
}

// Begins a gesture, and requests two previews, the second before the first is drawn.
async function overlap(angle, later) {
  begin();
  await turn(angle);
  await turn(later);
  await pass(GAP_MS);
  assert.equal(requests.length, 2, 'they overlap');
}

// Ends a gesture, and waits until the picture in full size is requested.
async function letGo() {
  commit();
  await pass(REST_MS);
}

// Draws all that is asked for until the picture has its full size.
async function finish() {
  while (requests.length) {
    await draw();
    await pass(REST_MS);
  }
  assert.equal(status.value.kind, 'settled');
}

before(async () => {
  await loadSchema();
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1e6 });
  performance.now = () => Date.now();
  globalThis.window = globalThis;
  globalThis.addEventListener = () => {};
  const context = { getExtension: () => null, getParameter: () => 'ANGLE Metal Renderer' };
  globalThis.document = { createElement: () => ({ getContext: () => context }) };
  globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
  globalThis.fetch = () => new Promise((resolve) => requests.push(resolve));
  key.value = 'key';
  room.value = { width: 1000, height: 800, left: 0, top: 0 };
  startLive();
  await passed();
  await draw({ spent: FIRST_MS });
  await pass(REST_MS);
  await finish();
});

test('the first gesture starts at the pace of the first picture', async () => {
  begin();
  await turn(1);
  await askedAfter(2, FIRST_MS);
  await draw();
  await draw();
  await letGo();
  await finish();
});

test('input is taken as the next preview is requested', async () => {
  let moved = null; // the angle of a move that has not been taken
  beforeAsking(() => {
    if (moved !== null) change({ 'deviceTransform.rotationY': moved });
    moved = null;
  });
  const move = (angle) => {
    moved = angle;
    awaitInput();
    return passed();
  };
  begin();
  await move(31);
  assert.deepEqual([requests.length, moved], [1, null], 'at once while nothing is under way');
  await move(32);
  await move(33);
  await pass(GAP_MS - 1);
  assert.deepEqual([requests.length, moved], [1, 33]);
  await pass(1);
  assert.deepEqual([requests.length, moved], [2, null]);
  await move(34);
  await pass(SOON_MS - 1);
  assert.equal(moved, 34);
  await pass(1);
  assert.deepEqual([requests.length, moved], [2, null], 'the outlines follow a preview that is late');
  await draw();
  assert.equal(requests.length, 2, 'its input has been taken');
  moved = 35; // as a browser foresees it
  await draw();
  await pass(GAP_MS);
  assert.deepEqual([requests.length, moved], [2, null]);
  await pass(1000);
  await draw();
  await move(36);
  assert.equal(moved, null, 'at once while pictures are slow');
  await draw();
  await letGo();
  beforeAsking(() => {});
  await finish();
  assert.equal(picture.value.of.settings.deviceTransform.rotationY, 36);
});

test('a picture that is under way is not requested again', async () => {
  key.value = 'another key';
  retry(); // as the dialog does, because entering the same key again changes nothing
  await passed();
  assert.equal(requests.length, 1);
  await draw();
  assert.equal(requests.length, 0);
  await pass(REST_MS);
  await finish();
});

test('a refused picture is requested again at once', async () => {
  await turn(5);
  await refuse();
  assert.equal(requests.length, 0);
  retry();
  await passed();
  assert.equal(requests.length, 1);
  await finish();
});

test('a drawn preview ends the wait of an older, refused one', async () => {
  await overlap(10, 20);
  await refuse();
  assert.equal(status.value.kind, 'limited');
  await draw();
  assert.equal(status.value.kind, 'working');
  await letGo();
  assert.equal(picture.value.of.settings.deviceTransform.rotationY, 20);
  assert.equal(requests.length, 1, 'the picture in its full size');
  await finish();
  await pass(2 * WAIT_S * 1000);
  assert.deepEqual([status.value.kind, requests.length], ['settled', 0]);
});

test('after two refusals, the later picture is requested again', async () => {
  await overlap(12, 22);
  await refuse();
  await refuse();
  commit();
  await pass(WAIT_S * 1000);
  assert.equal(requests.length, 1);
  await finish();
  assert.equal(picture.value.of.settings.deviceTransform.rotationY, 22);
});

test('the next preview is requested when the server can render it', async () => {
  begin();
  await turn(50);
  await askedAfter(60, GAP_MS);
  await draw({ spent: 100 });
  await askedAfter(70, 100 / 2); // at most two are under way
  await draw({ spent: 100 });
  await draw({ spent: 100, waited: 40 });
  await turn(80);
  await askedAfter(90, 50 + 40 / 4);
  await draw();
  await draw();
  await letGo();
  await finish();
});

test('a picture in full size does not change the pace of previews', async () => {
  begin();
  await turn(100);
  await draw({ spent: 100 });
  await letGo();
  await draw({ spent: 600 });
  assert.equal(status.value.kind, 'settled');
  begin();
  await turn(110);
  await askedAfter(120, 100 / 2);
  await draw();
  await draw();
  await letGo();
  await finish();
});

test('no picture is requested during a wait', async () => {
  begin();
  await turn(30);
  await turn(40);
  await refuse();
  await pass(2 * GAP_MS);
  commit();
  assert.deepEqual([status.value.kind, requests.length], ['limited', 0]);
  await pass(WAIT_S * 1000);
  assert.equal(requests.length, 1);
  await finish();
  assert.equal(picture.value.of.settings.deviceTransform.rotationY, 40);
});
