import assert from 'node:assert/strict';
import test, { before } from 'node:test';

import { SNIPPETS } from '../../../service/web/snippets/index.js';
import { requestIn } from '../../../service/web/snippets/reading.js';
import { loadSchema } from '../../../service/web/state/schema.js';
import './service.mjs';

const SETTINGS = {
  device: 'pixel-9-pro',
  canvas: { width: 320, height: 240 },
  screen: { title: 'it\'s "quoted" `so` \\ $HOME' },
  shadow: { enabled: false },
  postProcessing: { bloom: true, grain: { amount: 0.1 } },
};
const SOURCES = [{ file: "it's mine.png" }, { url: "https://example.com/it's.png" }, { sample: 'http://localhost/s.png' }];

before(loadSchema);

test('settings are read back from every snippet', () => {
  for (const { title, write } of SNIPPETS) {
    for (const source of SOURCES) {
      const address = 'http://localhost/api/v1/mockup?output=raw';
      const text = write({ address, settings: SETTINGS, source, output: 'mockup.png' });
      assert.deepEqual(requestIn(text), { settings: SETTINGS, devices: [] }, `${title} ${JSON.stringify(source)}`);
    }
  }
});

test('settings are read from code in other styles', () => {
  const body = `requests.post(url, json={"settings": {'shadow': {'enabled': False, 'blur': -1.5e0,},},})`;
  assert.deepEqual(requestIn(body).settings, { shadow: { enabled: false, blur: -1.5 } });
  const code = 'const settings = {shadow: {enabled: true, ...rest}}; // {shadow: {blur: 3}}';
  assert.deepEqual(requestIn(code).settings, { shadow: { blur: 3 } });
});

test('no settings are found in other texts', () => {
  const backwards = [...JSON.stringify({ id: '1', name: 'mine', settings: SETTINGS })].reverse().join('');
  for (const text of [backwards, 'some words', "{'shadow': }", '{"other": 1}', 'https://example.com']) {
    assert.equal(requestIn(text), null, text);
  }
});
