// The size and the position of the picture on the stage. Zoom is the number of display pixels per pixel of the exported picture.

const STEPS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
export const [LEAST, MOST] = [0.05, 8];
const SAME = 1.01; // zooms whose ratio is smaller count as equal

/** The zoom at which a picture of `size` px fits `room` CSS px, on a display with `ratio` px in each. */
export function fitting(size, room, ratio) {
  return ratio * Math.min(room.width / size.width, room.height / size.height);
}

/** The next step above (`direction` 1) or below (-1) a zoom; the zoom that fits is one of the steps. */
export function stepped(zoom, direction, fitted) {
  const steps = [...STEPS, fitted].sort((a, b) => a - b);
  if (direction < 0) return steps.findLast((one) => one * SAME < zoom) ?? zoom;
  return steps.find((one) => one > zoom * SAME) ?? zoom;
}

/** A zoom within bounds; null if it is the zoom at which the picture fits. */
export function settledZoom(zoom, fitted) {
  const bounded = Math.min(Math.max(zoom, Math.min(LEAST, fitted)), Math.max(MOST, fitted));
  return Math.max(bounded / fitted, fitted / bounded) < SAME ? null : bounded;
}

/** The picture's offset from the room's middle once it is `factor` times as large, `point` staying where it is. */
export function about(offset, point, factor) {
  return { x: point.x - (point.x - offset.x) * factor, y: point.y - (point.y - offset.y) * factor };
}

/** An offset that leaves no more than `margin` CSS px between an edge of the picture and that of the room. */
export function bounded(offset, size, room, margin) {
  const within = (value, side) => {
    const most = size[side] > room[side] ? (size[side] - room[side]) / 2 + margin : 0;
    return Math.min(most, Math.max(-most, value));
  };
  return { x: within(offset.x, 'width'), y: within(offset.y, 'height') };
}
