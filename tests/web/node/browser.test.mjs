import assert from 'node:assert/strict';
import test from 'node:test';

import { isLocal, linkedFrom } from '../../../service/web/browser/host.js';

test('local hosts and links from other sites are recognized', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'studio.localhost']) assert.ok(isLocal(host), host);
  for (const host of ['mockup.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1']) {
    assert.ok(!isLocal(host), host);
  }
  assert.equal(linkedFrom('https://other.example/page?a', 'mine.example'), 'other.example');
  assert.equal(linkedFrom('https://mine.example/docs', 'mine.example'), '');
  assert.equal(linkedFrom('', 'mine.example'), '');
});
