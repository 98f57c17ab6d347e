// Projects points of the device onto the picture, with the server's own camera ("Geometry" in docs/rendering.md).
const SPAN = 0.78; // the upright device's share of the canvas at scale 1
const FAR = 1e6; // mm; stands for the infinite distance of an orthographic camera
const NEAREST = 1.25; // the camera's least distance from the device's middle, in radii of its bounding sphere
const EVEN = 0.01; // weight of the box itself beside that of faces seen edge-on

const radians = (degrees) => (degrees * Math.PI) / 180;

/** Rx·Ry·Rz as nine numbers, row by row; degrees. */
export function rotation(rx, ry, rz) {
  const [cx, cy, cz] = [rx, ry, rz].map((angle) => Math.cos(radians(angle)));
  const [sx, sy, sz] = [rx, ry, rz].map((angle) => Math.sin(radians(angle)));
  return [
    cy * cz, -cy * sz, sy,
    cx * sz + sx * sy * cz, cx * cz - sx * sy * sz, -sx * cy,
    sx * sz - cx * sy * cz, sx * cz + cx * sy * sz, cx * cy,
  ];
}

/**
 * The camera for a transform (all members of `deviceTransform` but the pose, which is resolved), a device's shape as
 * `POST /api/v1/geometry` describes it, and a picture of `width` x `height` px.
 */
export function aim(transform, shape, width, height) {
  const t = transform;
  let turn = rotation(t.rotationX, t.rotationY, t.rotationZ);
  // A device turned a quarter first, to the left or right: R·Rz(±90°) takes (x, y, z) to R·(∓y, ±x, z).
  const quarters = shape.turned;
  if (quarters) turn = [0, 3, 6].flatMap((row) => [quarters * turn[row + 1], -quarters * turn[row], turn[row + 2]]);
  const [w, h] = quarters ? [shape.body[1], shape.body[0]] : shape.body;
  const unit = Math.min((SPAN * height) / h, (SPAN * width) / w);
  const wanted = t.fieldOfView > 0 ? height / unit / (2 * Math.tan(radians(t.fieldOfView) / 2)) : FAR;
  const distance = Math.max(wanted, (NEAREST * Math.hypot(...shape.body)) / 2);
  const upright = { turn, k: unit, distance, x: 0, y: 0 };
  const { share, shift } = framed(shape, upright, t.framing, width, height);
  return {
    turn,
    k: t.scale * unit * share,
    distance,
    x: (width / 2) * (1 + t.positionX) - t.scale * shift[0],
    y: (height / 2) * (1 - t.positionY) - t.scale * shift[1],
  };
}

/** The camera of a device from a picture's `geometry`, for a picture `factor` times as large. */
export function told({ turn, k, D, center, aside }, factor) {
  return { turn, k: k * factor, distance: D, x: center[0] * factor, y: center[1] * factor, aside };
}

/**
 * Points `[x, y, z]` in mm of the device to `[x, y]` in px of the picture; `aside` is the device's offset from the camera's
 * axis.
 */
export function project(camera, points) {
  const { turn: r, k, distance, aside: [right, up] = [0, 0] } = camera;
  return points.map(([x, y, z]) => {
    const depth = r[6] * x + r[7] * y + r[8] * z;
    const scale = k / (1 - depth / distance);
    return [
      camera.x + (right + r[0] * x + r[1] * y + r[2] * z) * scale,
      camera.y - (up + r[3] * x + r[4] * y + r[5] * z) * scale,
    ];
  });
}

function framed(shape, upright, framing, width, height) {
  if (framing === 'upright') return { share: 1, shift: [0, 0] };
  const found = project(upright, shape.points);
  const xs = found.map(([x]) => x);
  const ys = found.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const free = shape.margins;
  const [first, last] = [
    [(free[0] - 0.5) * width, (free[1] - 0.5) * height],
    [(0.5 - free[2]) * width, (0.5 - free[3]) * height],
  ];
  if (framing === 'posed' || framing === 'balanced') {
    const share = Math.min((SPAN * width) / (right - left), (SPAN * height) / (bottom - top));
    const middle = ((left + right) / 2) * share;
    const across = framing === 'posed' ? middle : weight(shape, upright, [left, right, top, bottom]) * share;
    // The shift takes up to half of the room beside the device, so that it stays clear of the edge.
    const [least, most] = [Math.min(share * right - last[0], middle), Math.max(share * left - first[0], middle)];
    const shifted = Math.min(Math.max(across, (least + middle) / 2), (most + middle) / 2);
    return { share, shift: [shifted, ((top + bottom) / 2) * share] };
  }
  const room = [0, 1].map((axis) => Math.max(last[axis] - first[axis], 1));
  const share = Math.min(1, room[0] / (right - left), room[1] / (bottom - top));
  // Shift no farther than necessary.
  const ends = [[left, right], [top, bottom]];
  const shift = ends.map(([low, high], axis) =>
    Math.min(Math.max(0, share * high - last[axis]), share * low - first[axis]),
  );
  return { share, shift };
}

/** The horizontal position of a device's visual weight: the middle of the area of its faces. */
function weight(shape, camera, [left, right, top, bottom]) {
  let total = EVEN * (right - left) * (bottom - top);
  let moment = (total * (left + right)) / 2;
  for (const corners of shape.faces) {
    const found = project(camera, corners);
    const crosses = found.map(([x, y], i) => x * found[(i + 1) % 4][1] - found[(i + 1) % 4][0] * y);
    const area = crosses.reduce((sum, cross) => sum + cross, 0) / 2;
    const moments = crosses.map((cross, i) => (found[i][0] + found[(i + 1) % 4][0]) * cross);
    total += Math.abs(area);
    moment += (Math.sign(area) * moments.reduce((sum, each) => sum + each, 0)) / 6;
  }
  return moment / total;
}
