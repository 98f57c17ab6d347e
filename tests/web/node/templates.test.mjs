import assert from 'node:assert/strict';
import test, { before } from 'node:test';

import { loadCatalogue } from '../../../service/web/server/catalogue.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { devices, replaceRequest, screenshots, settings, undo } from '../../../service/web/state/store.js';
import { loadTemplates, takeTemplate, templates } from '../../../service/web/state/templates.js';
import './service.mjs';

before(() => Promise.all([loadSchema(), loadCatalogue()]));

test('a template keeps screenshots and texts and is one undo step', async () => {
  await loadTemplates();
  assert.ok(templates.value.length >= 16);
  const own = { device: 'auto', captions: [{ text: { en: 'Mine', de: 'Meins' } }] };
  replaceRequest({ settings: own });
  const shot = { id: '1', name: 'a.png' };
  screenshots.value = [shot];
  await takeTemplate('android-family');
  assert.equal(devices.value.length, 3);
  assert.deepEqual(screenshots.value, [shot, null, null]);
  assert.deepEqual(settings.value.captions[0].text, own.captions[0].text);
  assert.ok(settings.value.captions[0].font, 'as the template has it');
  undo();
  assert.deepEqual([settings.value, devices.value, screenshots.value], [own, [], [shot]]);
  await takeTemplate('store-headline');
  assert.equal(devices.value.length, 0, 'it pictures one device');
});
