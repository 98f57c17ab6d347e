import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { typeText } from '../../../service/web/state/captions.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import { addLocale, addScreens, moveScreen, pictures, removeLocale, removeScreen, renameScreen, setFile, showLocale, showScreen, untranslated, usualShot, whole } from '../../../service/web/state/set.js';
import { chosen, replaceRequest, replaceScreenshot, screenshots, set, settings, undo } from '../../../service/web/state/store.js';
import './service.mjs';

before(loadSchema);
const shot = (id) => ({ id, name: `${id}.png`, width: 1, height: 1 });
beforeEach(() => {
  replaceRequest({ settings: { captions: [{ text: 'Plan your day' }] } });
  screenshots.value = [shot('a')];
});

test('a text typed in another locale gets its own language', () => {
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

test('a locale has its own screenshot or that of the first locale', () => {
  addLocale('en');
  addLocale('ar');
  showLocale('ar');
  assert.equal(screenshots.value[0].id, 'a');
  replaceScreenshot(shot('b'));
  assert.equal(usualShot(0).id, 'a');
  showLocale('en');
  assert.equal(screenshots.value[0].id, 'a');
  assert.equal(usualShot(0), undefined);
  replaceScreenshot(shot('c'));
  showLocale('ar');
  assert.equal(screenshots.value[0].id, 'b');
  const drawn = pictures(whole.value, settings.value, [], () => null);
  assert.deepEqual(drawn.map(({ of }) => of.screenshots[0].id), ['c', 'b']);
  assert.deepEqual(setFile(whole.value, settings.value, []).screens[0].screenshot, { en: 'shots/home.png', ar: 'shots/ar/home.png' });
  replaceScreenshot(usualShot(0));
  showLocale('en');
  assert.equal(set.value.screens[0].localized, undefined, 'it is as in the first again');
  undo();
  undo();
  assert.equal(screenshots.value[0].id, 'b');
  removeLocale('en');
  assert.deepEqual([set.value.locale, screenshots.value[0].id, set.value.screens[0].localized], ['ar', 'b', undefined]);
  undo();
  removeLocale('ar');
  assert.deepEqual([set.value.locale, settings.value.language, screenshots.value[0].id], ['en', 'en', 'c']);
});

test('screens of a scene have a screenshot for each locale and device', () => {
  replaceRequest({ settings: {}, devices: [{}, {}] });
  screenshots.value = [shot('a'), shot('b')];
  addLocale('en');
  addLocale('de');
  showLocale('de');
  chosen.value = 1;
  replaceScreenshot(shot('d'));
  addScreens([shot('x')]);
  assert.deepEqual(screenshots.value.map((one) => one?.id), ['x', undefined]);
  showScreen(0);
  assert.deepEqual(screenshots.value.map(({ id }) => id), ['a', 'd']);
  assert.equal(setFile(whole.value, {}, [{}, {}]).screens[0].screenshot.de, 'shots/de/home-{device}.png');
});

test('each screen has its own texts and screenshots', () => {
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
