import assert from 'node:assert/strict';
import test from 'node:test';

import { finding, mends, short } from '../../../service/web/stage/mending.js';

const CROPPED = {
  code: 'CROPPED',
  message: "28% of the screenshot's width is cropped, 14% at the left and 14% at the right; more advice",
};
const CONTAIN = { label: 'Show all of it', changes: { 'screen.fit': 'contain' } };
const NAMES = { 'ipad-air-11': 'iPad Air 11', 'ipad-air-13': 'iPad Air 13' };
const CASES = [
  ['', 'iphone-16-pro', { label: 'Choose a device of its shape', changes: { device: 'auto' } }],
  ['', 'auto', CONTAIN],
  ['', { kind: 'phone' }, CONTAIN],
  ['; device auto fits, and takes ipad-air-13; and more', 'iphone-16-pro', { label: 'Use iPad Air 13', changes: { device: 'auto' } }],
  ['; device ipad-air-11 has its shape', 'iphone-16-pro', { label: 'Use iPad Air 11', changes: { device: 'ipad-air-11' } }],
];

function mended(warning, device) {
  return mends(
    warning,
    (path) => (path === 'device' ? device : undefined),
    (id) => NAMES[id] && { id, name: NAMES[id] },
  );
}

test('a warning states the cropped share and offers its remedies', () => {
  for (const [advice, device, first] of CASES) {
    const warning = { ...CROPPED, message: CROPPED.message + advice };
    const found = mended(warning, device);
    assert.equal(short(warning), 'Cropped 28 %');
    const told = finding(warning, found.length > 0);
    assert.match(told, /^28% of the screenshot's width/);
    assert.doesNotMatch(told, /advice/, 'that is what the buttons are for');
    assert.deepEqual([found[0], found.at(-1)], [first, CONTAIN]);
  }
});

test('a warning without a remedy is shown in full', () => {
  const warning = { code: 'UPSCALED', message: 'It is enlarged 1.4 times; one of 9 x 9 px would be sharp' };
  assert.deepEqual(mended(warning, 'auto'), []);
  assert.equal(short(warning), 'Enlarged 1.4×');
  assert.equal(finding(warning, false), `${warning.message}.`);
});
