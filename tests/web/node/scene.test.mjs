import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { project, told } from '../../../service/web/geometry/camera.js';
import { loadCatalogue } from '../../../service/web/server/catalogue.js';
import { SNIPPETS } from '../../../service/web/snippets/index.js';
import { requestIn } from '../../../service/web/snippets/reading.js';
import { ofDevice } from '../../../service/web/stage/mending.js';
import { decode, encode } from '../../../service/web/state/fragment.js';
import { get, put } from '../../../service/web/state/paths.js';
import { addDevice, asPicture, asScene, bodyOf, drawn, duplicateDevice, hideDevice, listed, moveDevice, removeDevice } from '../../../service/web/state/scene.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { canUndo, change, chosen, current, devices, pathOf, replaceRequest, screenshots, settings, undo, value } from '../../../service/web/state/store.js';
import { transform } from '../../../service/web/state/transform.js';
import { post } from './service.mjs';

before(() => Promise.all([loadSchema(), loadCatalogue()]));
beforeEach(() => {
  while (canUndo.value) undo();
  chosen.value = null;
});

test('members of lists are read and written by index', () => {
  const all = { captions: [{ text: 'a' }, { text: 'b', font: { size: 1 } }] };
  assert.equal(get(all, 'captions[1].font.size'), 1);
  assert.deepEqual(put(all, 'captions[1].font.size', undefined), { captions: [{ text: 'a' }, { text: 'b' }] });
  assert.deepEqual(put(all, 'captions[0].y', 2).captions[0], { text: 'a', y: 2 });
  assert.deepEqual(put({ captions: [{ text: 'a' }] }, 'captions[0].text', undefined), {});
  assert.equal(all.captions[1].font.size, 1, 'nothing is changed in place');
});

test('a picture becomes a scene, and a scene of one device becomes a picture', () => {
  const all = { device: 'pixel-9-pro', screen: { fit: 'contain' }, appearance: { backgroundColor: '#fff', style: 'clay' }, deviceTransform: { rotationY: 9 } };
  const scene = asScene(all);
  assert.deepEqual(scene.devices, [{ device: 'pixel-9-pro', screen: { fit: 'contain' }, appearance: { style: 'clay' } }]);
  assert.deepEqual(scene.settings, { appearance: { backgroundColor: '#fff' }, deviceTransform: { rotationY: 9 } });
  assert.deepEqual(asPicture({ ...scene.settings, layout: 'row' }, scene.devices[0]), all);
});

test('devices are added, moved, hidden and removed with their screenshots', () => {
  replaceRequest({ settings: { device: 'pixel-9-pro', appearance: { deviceColor: 'Hazel' } } });
  const shot = { id: '1', name: 'a.png' };
  screenshots.value = [shot];
  addDevice({ device: 'ipad-mini' });
  assert.deepEqual(settings.value, { layout: 'row' }, 'they do not lie in each other');
  assert.deepEqual(devices.value.map((one) => one.device), ['pixel-9-pro', 'ipad-mini']);
  assert.equal(chosen.value, 1);
  assert.equal(value('device'), 'ipad-mini');
  assert.equal(value('appearance.deviceColor'), undefined, 'that is the other device’s');
  duplicateDevice(0);
  assert.deepEqual(screenshots.value, [shot, shot, null]);
  moveDevice(0, 2);
  assert.deepEqual(screenshots.value, [shot, null, shot]);
  hideDevice(1, true);
  const shown = drawn({ settings: settings.value, devices: devices.value, screenshots: screenshots.value });
  assert.deepEqual(shown.places, [0, 2]);
  const upload = { type: 'upload', src: 'x' };
  assert.deepEqual(bodyOf(shown, [upload, upload]).devices.map((one) => one.screenshot), [upload, { type: 'same', index: 0 }]);
  removeDevice(0);
  removeDevice(0);
  assert.deepEqual([devices.value, settings.value.device, settings.value.layout], [[], 'pixel-9-pro', undefined]);
  undo();
  assert.equal(devices.value.length, 2);
});

test('settings go to the current device, and turns go to the chosen device', () => {
  replaceRequest({ settings: { layout: 'desk', screen: { fit: 'contain' } }, devices: [{ device: 'macbook-pro-14' }, { device: 'ipad-mini' }] });
  assert.equal(transform.value.rotationX, 9, 'as the layout has it');
  change({ 'deviceTransform.rotationX': 0 });
  assert.equal(settings.value.deviceTransform.rotationX, 0, 'a default overrides the layout');
  chosen.value = 1;
  assert.equal(transform.value.rotationX, 0);
  change({ 'deviceTransform.rotationY': 20, 'screen.fit': 'cover', depth: 30 });
  assert.deepEqual(devices.value[1], { device: 'ipad-mini', deviceTransform: { rotationY: 20 }, screen: { fit: 'cover' }, depth: 30 });
  change({ 'screen.fit': 'contain', 'deviceTransform.scale': 2 });
  assert.equal(devices.value[1].screen, undefined, 'as the scene has it');
  assert.equal(settings.value.deviceTransform.scale, 2, 'there is one camera');
  assert.equal(pathOf('screen.fit'), 'devices[1].screen.fit');
  assert.equal(current.value, 1);
});

test('a scene is read back from its address and from every snippet', () => {
  const scene = { settings: { layout: 'fan', canvas: { width: 320 } }, devices: [{ device: 'pixel-9-pro', screen: { title: 'it\'s "so" `\\' } }, { device: 'ipad-mini' }, { device: 'card' }] };
  assert.deepEqual(decode(encode(scene)), scene);
  const devices = scene.devices.with(1, { device: 'ipad-mini', screenshot: { type: 'url', src: 'https://example.com/a.png' } });
  const request = { address: 'http://localhost/api/v1/mockup?output=raw', settings: scene.settings, devices, sources: [{ file: "it's.png" }, null, { sample: 'http://localhost/s.png' }], output: 'mockup.png' };
  for (const { title, write } of SNIPPETS) assert.deepEqual(requestIn(write(request)), scene, title);
});

test('outlines of a scene’s devices match the geometry of the server', async () => {
  const body = { type: 'scene', devices: [{ device: 'macbook-pro-14' }, { device: 'ipad-mini', orientation: 'landscape' }, { device: 'pixel-9-pro' }], settings: { layout: 'desk' }, maxPixels: 100_000 };
  const { devices: found } = await post('/api/v1/geometry', body);
  for (const { device, geometry, shape } of found) {
    const outline = project(told(geometry, 2), shape.points);
    const [left, top, width, height] = geometry.box.map((one) => 2 * one);
    for (const [x, y] of outline) {
      assert.ok(x > left - 3 && x < left + width + 3 && y > top - 3 && y < top + height + 3, `${device} ${x} ${y}`);
    }
    assert.ok(Math.max(...outline.map(([x]) => x)) > left + width - 3, device);
  }
});

test('the paths of messages count hidden devices and captions', () => {
  const captions = [{ text: 'a', hidden: true }, { text: '' }, { text: 'b' }];
  const of = drawn({ settings: { captions }, devices: [{ hidden: true }, {}], screenshots: [null, null] });
  const told = listed({ 'captions[0].y': 'x', 'devices[0].screen.fit': 'y', 'shadow.blur': 'z' }, of);
  assert.deepEqual(told, { 'captions[2].y': 'x', 'devices[1].screen.fit': 'y', 'shadow.blur': 'z' });
});

test('a warning names its device', () => {
  const warning = { code: 'CROPPED', message: 'devices[1]: 9 % of the height is cropped' };
  assert.deepEqual(ofDevice(warning, [0, 2]), { place: 2, about: { code: 'CROPPED', message: '9 % of the height is cropped' } });
  assert.equal(ofDevice({ code: 'CROPPED', message: 'x' }, []).place, null);
});
