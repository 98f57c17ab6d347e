import assert from 'node:assert/strict';
import test from 'node:test';

import { inOrder } from '../../../service/web/panels/order.js';
import { dressed } from '../../../service/web/state/looks.js';

test('devices are sorted from newest to oldest', () => {
  const given = [
    ['Galaxy A56', 'Samsung', 2025],
    ['Phone', null, null],
    ['Galaxy S26', 'Samsung', 2026],
    ['iPhone 16 Pro', 'Apple', 2024],
    ['iPhone 18 Pro Max', 'Apple', 2026],
    ['iPhone 17e', 'Apple', 2026],
    ['Window', null, null],
    ['iPhone 18 Pro', 'Apple', 2026],
    ['Xiaomi 15', 'Xiaomi', 2026],
  ];
  assert.deepEqual(
    inOrder(given.map(([name, brand, year]) => ({ name, brand, year }))).map(({ name }) => name),
    [
      'iPhone 18 Pro',
      'iPhone 18 Pro Max',
      'iPhone 17e',
      'Galaxy S26',
      'Xiaomi 15',
      'Galaxy A56',
      'iPhone 16 Pro',
      'Phone',
      'Window',
    ],
  );
});

test('a look replaces the shadow and the ground, but not the canvas or the device', () => {
  const all = { canvas: { preset: 'app-store-6.9' }, device: 'auto', shadow: { blur: 9 }, ground: { reflectivity: 1 } };
  const settings = { canvas: { width: 1920, height: 1080 }, reflection: { intensity: 2 } };
  assert.deepEqual(dressed(all, { settings }), {
    canvas: { preset: 'app-store-6.9' },
    device: 'auto',
    reflection: { intensity: 2 },
  });
});

test('a look does not change the theme, the background or the fit of the screen', () => {
  const all = { appearance: { theme: 'dark', backgroundColor: '#FFF' }, screen: { fit: 'contain' } };
  const settings = { device: 'card', screen: { fit: 'cover' }, appearance: { theme: 'light', style: 'clay' } };
  assert.deepEqual(dressed(all, { settings }), {
    appearance: { theme: 'dark', style: 'clay' },
    screen: { fit: 'contain' },
  });
});
