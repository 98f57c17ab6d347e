import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { typeText } from '../../../service/web/state/captions.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { addLocale, addScreens, moveScreen, removeLocale, removeScreen, renameScreen, showLocale, showScreen, untranslated, whole } from '../../../service/web/state/set.js';
import { replaceRequest, screenshots, set, settings, undo } from '../../../service/web/state/store.js';
import './service.mjs';

before(loadSchema);
const shot = (id) => ({ id, name: `${id}.png`, width: 1, height: 1 });
beforeEach(() => {
  replaceRequest({ settings: { captions: [{ text: 'Plan your day' }] } });
  screenshots.value = [shot('a')];
});

test('a text gets a language of its own where it is typed', () => {
  addLocale('en');
  assert.equal(settings.value.language, 'en');
  assert.equal(addLocale('de'), '');
  assert.notEqual(addLocale('de'), '');
  assert.notEqual(addLocale('not a locale'), '');
  assert.equal(settings.value.language, 'en', 'as it was shown');
  assert.equal(untranslated(whole.value), 1, 'a text of all is the first locale’s');
  assert.equal(untranslated({ locales: ['en', 'de'], screens: [{ captions: ['−50 %', { en: '★' }, { en: 'a' }, ''] }] }), 1);
  showLocale('de');
  typeText(0, 'Plane deinen Tag');
  assert.deepEqual(settings.value.captions[0].text, { en: 'Plan your day', de: 'Plane deinen Tag' });
  assert.equal(untranslated(whole.value), 0);
  removeLocale('de');
  assert.equal(settings.value.language, 'en');
});

test('each screen has its texts and screenshots', () => {
  addScreens([shot('b'), shot('b')]);
  assert.deepEqual(set.value.screens.map(({ name }) => name), ['home', 'b', 'b-2']);
  assert.equal(screenshots.value[0].id, 'b');
  typeText(0, 'Third');
  showScreen(0);
  assert.deepEqual([settings.value.captions[0].text, screenshots.value[0].id], ['Plan your day', 'a']);
  assert.notEqual(renameScreen(0, 'b'), '');
  assert.notEqual(renameScreen(0, 'with space'), '');
  assert.equal(renameScreen(0, 'start'), '');
  moveScreen(2, 0);
  assert.equal(set.value.screens[set.value.screen].name, 'start', 'what is shown stays');
  showScreen(0);
  assert.equal(settings.value.captions[0].text, 'Third');
  removeScreen(0);
  assert.equal(settings.value.captions[0].text, 'Plan your day');
  undo();
  assert.equal(settings.value.captions[0].text, 'Third');
});
