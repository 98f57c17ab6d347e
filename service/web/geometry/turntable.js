// How gestures become angles, sizes and positions. Angles are kept as numbers and never read back from a matrix, so that
// turning right and back again ends where it began. Snapping changes only the output.
const MAGNETS = [0, 90, -90, 180, -180];
const PULL = 3; // degrees
const STEP = 15; // degrees between the angles of a turn with Ctrl
const FINE = 0.2; // factor of a gesture with Alt
const HALF_TURN = 180; // degrees for a drag over the height of the stage

/** Degrees in (-180, 180], to a tenth. */
export function wrap(degrees) {
  const tenths = ((Math.round(degrees * 10) % 3600) + 3600) % 3600;
  return (tenths > 1800 ? tenths - 3600 : tenths) / 10;
}

/** The angle to output: in steps, snapped to a nearby angle, or unchanged; always in tenths of a degree. */
function snap(degrees, { steps = false, fine = false } = {}) {
  const angle = wrap(degrees);
  if (steps) return wrap(Math.round(angle / STEP) * STEP);
  return wrap(fine ? angle : (MAGNETS.find((one) => Math.abs(angle - one) <= PULL) ?? angle));
}

/**
 * A turn about two axes that begins at the angles `rotationX` and `rotationY`. While the device is upside down, dragging
 * right turns it the other way, so that it follows the pointer; which way is decided once, as the gesture begins.
 */
export function turntable({ rotationX, rotationY }) {
  let [x, y] = [rotationX, rotationY];
  const sign = Math.abs(wrap(rotationX)) > 90 ? -1 : 1;
  return (dx, dy, height, keys = {}) => {
    const rate = (HALF_TURN / height) * (keys.fine ? FINE : 1);
    x += dy * rate;
    y += dx * rate * sign;
    return { rotationX: snap(x, keys), rotationY: snap(y, keys) };
  };
}

/** A roll about the axis through the glass; `facing` is -1 if its back is seen, so that it follows the pointer. */
export function roll({ rotationZ }, facing = 1) {
  let z = rotationZ;
  return (degrees, keys = {}) => {
    z += degrees * facing * (keys.fine ? FINE : 1);
    return { rotationZ: snap(z, keys) };
  };
}

/** A move, in px of a picture of `width` x `height` px; positions are half canvases, upwards positive. */
export function move({ positionX, positionY }) {
  let [x, y] = [positionX, positionY];
  return (dx, dy, width, height, keys = {}) => {
    const rate = keys.fine ? FINE : 1;
    x += (dx / (width / 2)) * rate;
    y -= (dy / (height / 2)) * rate;
    return { positionX: placed(x, keys), positionY: placed(y, keys) };
  };
}

/** A change of size by factors. */
export function resize({ scale }) {
  let size = scale;
  return (factor, keys = {}) => {
    size = clamp(size * (keys.fine ? factor ** FINE : factor), 0.1, 5);
    if (keys.steps) return { scale: Math.max(0.1, Math.round(size * 10) / 10) };
    return { scale: !keys.fine && Math.abs(size - 1) < 0.015 ? 1 : Math.round(size * 1000) / 1000 };
  };
}

function placed(position, { steps = false, fine = false }) {
  const found = clamp(position, -2, 2);
  if (steps) return Math.round(found * 20) / 20 + 0;
  return (!fine && Math.abs(found) < 0.012 ? 0 : Math.round(found * 1000) / 1000) + 0;
}

export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));
