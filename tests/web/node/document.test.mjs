import assert from 'node:assert/strict';
import test, { before } from 'node:test';

import { isPresent, openDocument, present } from '../../../service/web/state/document.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { addScreens, showLocale, showScreen } from '../../../service/web/state/set.js';
import { devices, film, replaceParts, replaceRequest, screenshots, set, settings, undo } from '../../../service/web/state/store.js';
import { post } from './service.mjs';

before(loadSchema);
const shot = (id) => ({ id, name: `${id}.png`, width: 1, height: 1 });

const CAPTIONS = [{ text: { en: 'Plan', ar: 'خطّط', de: '' } }, { text: 'Hidden', hidden: true }, { text: '', y: 0.5 }];

function begin() {
  replaceRequest({
    settings: { layout: 'row', language: 'en', captions: CAPTIONS, appearance: { backgroundColor: '#ffffff' } },
    devices: [{ device: 'iphone-16-pro' }, { device: 'ipad-mini', hidden: true }, { device: 'pixel-9-pro', depth: 3 }],
    set: { locales: ['en', 'ar'], locale: 'en', screen: 0, screens: [{ name: 'home', captions: [], screenshots: [] }], sizes: [{ name: 'play-phone', preset: 'play-phone' }] },
    film: { motion: { duration: 2, keyframes: [{ at: 0, deviceTransform: { rotationY: 4 } }] } },
  });
  screenshots.value = [shot('a'), shot('b'), shot('c')];
}

test('a project holds the whole document, and the server accepts it', async () => {
  begin();
  addScreens([shot('x')]);
  const { captions } = settings.value;
  replaceParts({ settings: { ...settings.value, captions: [captions[0], captions[1], { ...captions[2], text: 'Later' }] } });
  showScreen(0);
  const saved = await post('/api/v1/projects', { name: 'Launch', ...present.value });
  assert.deepEqual(saved.settings.captions.map(({ text }) => text), [{ en: 'Plan', ar: 'خطّط' }, 'Later'], 'neither hidden nor empty');
  assert.deepEqual(saved.devices, [{ device: 'iphone-16-pro' }, { device: 'pixel-9-pro', depth: 3 }]);
  assert.deepEqual(saved.set.screens.map(({ captions: texts }) => texts[1]), ['', 'Later']);
  assert.deepEqual(saved.film, film.value);
  assert.ok(isPresent(saved));
  showScreen(1);
  showLocale('ar');
  replaceRequest({ settings: {} });
  assert.ok(!isPresent(saved));
  openDocument(saved);
  assert.deepEqual(set.value.screens.map(({ name }) => name), ['home', 'x']);
  assert.deepEqual([set.value.screen, set.value.locale, settings.value.language], [0, 'en', 'en']);
  assert.equal(settings.value.captions[1].text, '', 'as on the first screen');
  assert.ok(isPresent(saved));
  undo();
  assert.deepEqual([devices.value, set.value.screens], [[], []], 'one step back');
});

test('screens keep their screenshots by name when a set is opened', () => {
  begin();
  addScreens([shot('x')]);
  const saved = JSON.parse(JSON.stringify(present.value));
  openDocument({ ...saved, set: { ...saved.set, screens: [saved.set.screens[1], { name: 'new' }] } });
  assert.deepEqual(set.value.screens.map(({ screenshots: own }) => own[0]?.id), ['x', undefined]);
  assert.equal(screenshots.value[0].id, 'x');
});

test('a project with only settings opens as a picture of one device', () => {
  begin();
  openDocument({ settings: { device: 'auto' } });
  assert.deepEqual([devices.value, set.value.screens, film.value], [[], [], {}]);
  assert.deepEqual(present.value, { settings: { device: 'auto' } });
});
