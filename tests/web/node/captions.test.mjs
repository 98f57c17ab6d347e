import assert from 'node:assert/strict';
import test, { before, beforeEach } from 'node:test';

import { addCaption, caption, captions, dragged, duplicateCaption, hideCaption, laid, languageOf, moveCaption, removeCaption, textOf, typeText, withText } from '../../../service/web/state/captions.js';
import { drawn } from '../../../service/web/state/scene.js';
import { describe, fallback, loadSchema } from '../../../service/web/state/schema.js';
import { change, replaceRequest, settings, undo, value } from '../../../service/web/state/store.js';
import './service.mjs';

before(loadSchema);
beforeEach(() => replaceRequest({}));

test('members of captions have their ranges and defaults', () => {
  assert.deepEqual([describe('captions[3].font.size').maximum, fallback('captions[0].y')], [1, 0.08]);
  assert.equal(describe('captions[0].color').path, 'captions[0].color');
  addCaption();
  change({ 'captions[0].font.size': 0.1 });
  change({ 'captions[0].font.size': 0.06 });
  assert.equal(captions.value[0].font, undefined, 'a default is not sent');
});

test('captions are listed, moved and hidden', () => {
  addCaption();
  addCaption();
  assert.equal(caption.value, 1);
  assert.notEqual(captions.value[0].y, captions.value[1].y, 'they do not lie on each other');
  typeText(1, 'Second');
  moveCaption(1, 0);
  assert.deepEqual(captions.value.map((one) => one.text), ['Second', 'Your caption']);
  duplicateCaption(0);
  hideCaption(0, true);
  const shown = drawn({ settings: settings.value, devices: [], screenshots: [null] }).settings.captions;
  assert.deepEqual(shown.map((one) => one.text), ['Second', 'Your caption']);
  assert.ok(shown.every((one) => !('hidden' in one)));
  removeCaption(0);
  removeCaption(0);
  removeCaption(0);
  assert.equal(settings.value.captions, undefined);
  undo();
  assert.equal(captions.value.length, 1);
  assert.equal(caption.value, null);
});

test('a caption shows the text for its language, chosen as on the server', () => {
  const text = { en: 'day', 'de-AT': 'Tag', pt: 'dia' };
  assert.deepEqual(['de', 'de-CH', 'pt-BR', 'ja', undefined].map((one) => languageOf(text, one)), ['de-AT', 'de-AT', 'pt', 'en', 'en']);
  assert.equal(textOf({ text }, 'PT'), 'dia');
  assert.deepEqual(withText(text, 'ja', '日'), { ...text, ja: '日' });
  assert.equal(withText('a', 'ja', 'b'), 'b', 'one text is that of all');
});

test('a caption is placed by its anchor', () => {
  const own = { x: 0.8, y: 0.25, anchor: 'bottom-right', width: 0.5, rotation: 12, 'font.size': 0.1 };
  const style = laid((path) => own[path] ?? fallback(`captions[0].${path}`), 1000, 500);
  assert.deepEqual([style.left, style.top, style.fontSize, style.textAlign], ['800px', '125px', '50px', 'right']);
  assert.equal(style.transform, 'translate(-100%, -100%) rotate(-12deg)');
  assert.deepEqual(dragged([0.4, 0.1], [0.095, 0.2]), { x: 0.5, y: 0.3 }, 'the middle attracts it');
  assert.deepEqual(dragged([0.4, 0.1], [0.095, 0.2], true), { x: 0.495, y: 0.3 });
  assert.equal(dragged([0.4, 0.1], [9, 9]).x, 2);
  assert.equal(value('captions[0].x'), 0.5);
});
