import assert from 'node:assert/strict';
import test from 'node:test';

import { isHardware } from '../../../service/web/browser/compositing.js';
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

test('software renderers are told from graphics processors', () => {
  for (const name of [
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'llvmpipe (LLVM 15.0.7, 256 bits)',
    'ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0)',
    'Apple Software Renderer',
  ]) {
    assert.ok(!isHardware(name), name);
  }
  for (const name of ['ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)', 'Mali-G78', 'WebKit WebGL']) {
    assert.ok(isHardware(name), name);
  }
  assert.ok(!isHardware(null));
});
