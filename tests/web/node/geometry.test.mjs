import assert from 'node:assert/strict';
import test from 'node:test';

import { aim, project } from '../../../service/web/geometry/camera.js';
import { turntable } from '../../../service/web/geometry/turntable.js';
import { about, bounded, fitting, settledZoom, stepped } from '../../../service/web/geometry/viewport.js';
import { post } from './service.mjs';

const TRANSFORM = {
  scale: 1,
  positionX: 0,
  positionY: 0,
  rotationX: 0,
  rotationY: 0,
  rotationZ: 0,
  fieldOfView: 30,
  framing: 'auto',
};
const POSED = [
  ['iphone-16-pro', {}],
  ['iphone-16-pro', { rotationX: 12, rotationY: -34.5, rotationZ: 6, framing: 'posed' }],
  ['iphone-16-pro', { rotationX: -120, rotationY: 170, scale: 1.7, positionX: 0.3 }],
  ['macbook-pro-14', { rotationX: 20, rotationY: -30, fieldOfView: 60 }],
  ['macbook-pro-14', { rotationX: -1, rotationY: -30, rotationZ: -12, framing: 'balanced' }],
  ['galaxy-z-flip-7-half-open', { rotationX: -20, rotationY: 160, framing: 'balanced' }],
  ['imac-24', { rotationY: 50, fieldOfView: 0, framing: 'upright' }],
  ['galaxy-z-flip-7-half-open', { rotationX: -60, rotationZ: 40, framing: 'auto', fieldOfView: 90 }],
];

// The largest distance between corners, px.
const apart = (ours, theirs) => Math.max(...ours.flatMap((point, i) => point.map((value, axis) => Math.abs(value - theirs[i][axis]))));

test('outlines match the geometry of the server', async () => {
  for (const orientation of ['portrait', 'landscape', 'landscape-right']) {
    for (const [device, members] of POSED) {
      const settings = { device, deviceTransform: members, ...(device === 'iphone-16-pro' && { orientation }) };
      const { geometry, shape } = await post('/api/v1/geometry', { settings });
      const camera = aim({ ...TRANSFORM, ...members }, shape, geometry.width, geometry.height);
      const told = `${device} ${orientation} ${JSON.stringify(members)}`;
      const [w, h, d] = shape.body.map((side) => side / 2);
      const corners = [d, -d].flatMap((z) => [
        [-w, h, z],
        [w, h, z],
        [w, -h, z],
        [-w, -h, z],
      ]);
      assert.ok(apart(project(camera, corners), geometry.body) < 0.5, told);
      assert.equal(shape.screens.length, geometry.screens.length);
      for (const [i, screen] of shape.screens.entries()) {
        assert.ok(apart(project(camera, screen.corners), geometry.screens[i].corners) < 0.5, told);
      }
      const points = project(camera, shape.points);
      const box = [Math.min, Math.max].map((most) => [0, 1].map((axis) => most(...points.map((point) => point[axis]))));
      const [left, top, width, height] = geometry.box;
      assert.ok(apart(box, [[left, top], [left + width, top + height]]) < 1, told); // prettier-ignore
    }
  }
});

test('drags turn a device, wrap around and snap', () => {
  for (const [from, by, x, y] of [
    [[0, 0], [100, 50, 900], 10, 20], // 180° over the height; right and down are positive
    [[0, 0], [0, 900, 900], 180, 0],
    [[170, 0], [0, 100, 900], -170, 0], // wraps around
    [[120, 0], [100, 0, 900], 120, -20], // upside down: follows the pointer
    [[0, 0], [440, 0, 900], 0, 90], // snaps to 90°
    [[0, 0], [440, 0, 900, { fine: true }], 0, 17.6],
    [[0, 0], [200, 0, 900, { steps: true }], 0, 45],
  ]) {
    const turned = turntable({ rotationX: from[0], rotationY: from[1] })(...by);
    assert.deepEqual(Object.keys(turned).sort(), ['rotationX', 'rotationY']);
    const off = Math.max(Math.abs(turned.rotationX - x), Math.abs(turned.rotationY - y));
    assert.ok(off < 1e-6, `${from} by ${JSON.stringify(by)}: ${JSON.stringify(turned)}`);
  }
});

test('a drag passes a snapping angle', () => {
  const turn = turntable({ rotationX: 0, rotationY: 80 });
  const seen = Array.from({ length: 20 }, () => turn(5, 0, 900).rotationY);
  assert.ok(seen.includes(90));
  assert.ok(Math.abs(seen.at(-1) - 100) < 1e-6, 'the drag itself is not pulled');
});

test('zooming moves in steps and stays within bounds', () => {
  const [size, room] = [{ width: 2000, height: 1000 }, { width: 500, height: 400 }]; // prettier-ignore
  assert.equal(fitting(size, room, 2), 0.5);
  const steps = [[0.3, 1], [0.3, -1], [1, 1], [1, -1], [8, 1], [0.251, 1]]; // prettier-ignore
  assert.deepEqual(
    steps.map(([zoom, by]) => stepped(zoom, by, 0.31)),
    [0.31, 0.25, 2, 0.5, 8, 0.31],
  );
  assert.deepEqual(
    [0.312, 0.5, 99, 0.001].map((zoom) => settledZoom(zoom, 0.31)),
    [null, 0.5, 8, 0.05],
  );
  assert.deepEqual(about({ x: 10, y: 0 }, { x: 100, y: 50 }, 2), { x: -80, y: -50 });
  const far = { x: 9999, y: -9999 };
  assert.deepEqual(bounded(far, size, room, 80), { x: 830, y: -380 });
  const held = bounded(far, { width: 100, height: 100 }, room, 80);
  assert.ok(held.x === 0 && held.y === 0, 'what fits stays in the middle');
});
