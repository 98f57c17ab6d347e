// Pointers, wheel and keys on the stage, turned into changes of the transform.
import { area } from '../geometry/outline.js';
import { clamp, move, resize, roll, turntable, wrap } from '../geometry/turntable.js';
import { awaitInput, beforeAsking, noteInput, picture } from '../server/live.js';
import { begin, cancel, chosen, commit, devices } from '../state/store.js';
import { chooseCaption } from '../state/captions.js';
import { resetTransform, transform, transformBy } from '../state/transform.js';
import { hinted, tool } from '../state/ui.js';
import { panBy, place, room, zoom, zoomBy } from '../state/zoom.js';
import { currentView, deviceAt, sceneViews } from './view.js';

const WHEEL_REST_MS = 300;
const WHEEL_ZOOM = 0.004; // the exponent, to base e, of the zoom for each px
const KEY_TURN = [5, 1]; // degrees for an arrow key, without and with Shift
const KEY_MOVE = [0.02, 0.005]; // half canvases for an arrow key, without and with Shift
const KEY_SIZE = [1.05, 1.01];
const LEAST_MOVE = 0.02; // half canvases; a device's rate is measured only after a movement of this length
const KEY_PAN = [64, 16]; // CSS px

/** Attaches all listeners to the stage; gives a function that removes them. */
export function listenForGestures(stage) {
  const pointers = new Map(); // the pointers that are down on the stage, by id
  const moves = new Map(); // the last moves, by pointer id, until they are followed
  let act = null; // the present gesture's reaction to a move
  let wheelTimer = 0;
  let spaced = false; // whether the space bar is down

  const start = (event) => {
    if (event.button > 1 || event.target.closest('[data-control]')) return;
    followAll();
    chooseCaption(null);
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const name = spaced || event.button === 1 ? 'pan' : event.shiftKey ? 'move' : tool.peek();
    if (pointers.size === 1) {
      if (name !== 'pan') {
        choose(stage, event);
        begin();
      }
      act = single(name, pictureOf(stage));
    } else if (pointers.size === 2) {
      act = name === 'pan' ? pinch(stage) : pair(pictureOf(stage));
    }
  };
  const follow = (event) => {
    const known = pointers.get(event.pointerId);
    moves.delete(event.pointerId);
    if (!known || !act) return;
    const from = [...pointers.values()].map((point) => ({ ...point }));
    Object.assign(known, { x: event.clientX, y: event.clientY });
    noteInput(event.timeStamp);
    act(from, [...pointers.values()], { fine: event.altKey, steps: event.ctrlKey || event.metaKey });
  };
  const followAll = () => [...moves.values()].forEach(follow);
  // Browsers report a move at once with `pointerrawupdate`, and with the next frame as `pointermove`.
  const foresee = (event) => pointers.has(event.pointerId) && moves.set(event.pointerId, event);
  const moved = (event) => foresee(event) && awaitInput();
  const end = (event) => {
    followAll();
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 1) act = single(tool.peek(), pictureOf(stage));
    if (pointers.size) return;
    act = null;
    commit();
    hinted.value = true;
  };
  const wheel = (event) => {
    if (event.target.closest('[data-control]')) return;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // Browsers report a pinch on a trackpad as a wheel event with Ctrl.
    if (event.ctrlKey || event.metaKey || zoom.peek() !== null) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) zoomBy(Math.exp(-event.deltaY * lines * WHEEL_ZOOM), fromMiddle(stage, event));
      else if (event.shiftKey && !event.deltaX) panBy(-event.deltaY * lines, 0);
      else panBy(-event.deltaX * lines, -event.deltaY * lines);
      return;
    }
    if (document.activeElement !== stage) return;
    event.preventDefault();
    if (pointers.size) return;
    begin();
    noteInput(event.timeStamp);
    transformBy(resize(transform.peek())(Math.exp(-event.deltaY * lines * 0.0012), { fine: event.altKey }));
    clearTimeout(wheelTimer);
    wheelTimer = setTimeout(() => !pointers.size && commit(), WHEEL_REST_MS);
  };
  const press = (event) => {
    if (event.target !== stage || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ') {
      event.preventDefault();
      spaced = true;
      return;
    }
    if (event.key === 'Escape' && pointers.size) {
      pointers.clear();
      moves.clear();
      act = null;
      cancel();
      return;
    }
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    noteInput(event.timeStamp);
    nudge(tool.peek(), direction, event.shiftKey);
  };
  const release = (event) => {
    if (event.key === ' ' || event.type === 'blur') spaced = false;
  };
  // On a Mac, Ctrl and the mouse button together also open a menu.
  const menu = (event) => event.ctrlKey && event.preventDefault();
  const reset = (event) => {
    if (!event.target.closest('[data-control]') && tool.peek() !== 'pan') resetTransform();
  };

  const listeners = {
    pointerdown: start,
    pointermove: moved,
    pointerrawupdate: foresee,
    pointerup: end,
    pointercancel: end,
    keydown: press,
    keyup: release,
    blur: release,
    dblclick: reset,
    contextmenu: menu,
  };
  for (const [name, listener] of Object.entries(listeners)) stage.addEventListener(name, listener);
  stage.addEventListener('wheel', wheel, { passive: false });
  beforeAsking(followAll);
  return () => {
    beforeAsking(() => {});
    for (const [name, listener] of Object.entries(listeners)) stage.removeEventListener(name, listener);
    stage.removeEventListener('wheel', wheel);
  };
}

/** One step of a tool in a direction `[right, down]`, as by an arrow key or a button. */
export function nudge(name, [right, down], small = false) {
  const now = transform.peek();
  const by = small ? 1 : 0;
  // To look to the right, move the picture to the left.
  if (name === 'pan') return panBy(-right * KEY_PAN[by], -down * KEY_PAN[by]);
  const rounded = (number) => Math.round(number * 1000) / 1000;
  const changes = {
    turn: () => ({
      ...(right && { rotationY: wrap(now.rotationY + right * KEY_TURN[by]) }),
      ...(down && { rotationX: wrap(now.rotationX + down * KEY_TURN[by]) }),
    }),
    move: () => ({
      ...(right && { positionX: rounded(clamp(now.positionX + right * KEY_MOVE[by], -2, 2)) }),
      ...(down && { positionY: rounded(clamp(now.positionY - down * KEY_MOVE[by], -2, 2)) }),
    }),
    size: () => ({ scale: rounded(clamp(now.scale * KEY_SIZE[by] ** (right - down), 0.1, 5)) }),
    roll: () => ({ rotationZ: wrap(now.rotationZ - (right + down) * KEY_TURN[by]) }),
  }[name]();
  transformBy(changes, `nudge ${name}`);
}

// In a scene, chooses the device under the pointer, or the whole scene where there is none.
function choose(stage, { clientX, clientY }) {
  if (!devices.peek().length) return;
  const { left, top, width } = stage.querySelector('.picture').getBoundingClientRect();
  const scale = place.peek().width / width;
  chosen.value = deviceAt([(clientX - left) * scale, (clientY - top) * scale]);
}

// The effect of one pointer, by the tool.
function single(name, box) {
  const now = transform.peek();
  const [turn, shift, size] = [turntable(now), move(now), resize(now)];
  const spin = roll(now, facing());
  const pivot = pivotOf(box);
  const rate = ratesOf();
  return ([from], [to], keys) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    if (name === 'pan') panBy(dx, dy);
    if (name === 'turn') transformBy(turn(dx, dy, box.stageHeight, keys));
    if (name === 'move') transformBy(shift(dx, dy, box.width * rate(0), box.height * rate(1), keys));
    if (name === 'size') transformBy(size(Math.exp((dx - dy) / 300), keys));
    if (name === 'roll') transformBy(spin(angleBetween(pivot, from, to), keys));
  };
}

// The ratio of a device's movement in the picture to the change of its position, both in half canvases, to
// the right (axis 0) or up. It differs from 1 if the camera moves back. The movement is measured from another
// device, since the camera may follow.
function ratesOf() {
  if (chosen.peek() === null || !devices.peek().length) return () => 1;
  const [from, last] = [placeNow(), [1, 1]];
  return (axis) => {
    const now = placeNow();
    const zoomed = now?.k / from?.k;
    const [went, meant] = [now?.at[axis] - from?.at[axis] * zoomed, now?.position[axis] - from?.position[axis]];
    if (Math.abs(meant) > LEAST_MOVE) last[axis] = clamp((axis ? -went : went) / meant, 0.1, 4);
    return last[axis];
  };
}

// The chosen device in the last picture: its distance from another device, in half pictures, and its position in the
// settings.
function placeNow() {
  const view = currentView();
  const other = sceneViews().find((one) => one.place !== chosen.peek());
  const own = picture.peek()?.of.devices[picture.peek().of.places.indexOf(chosen.peek())];
  if (!view || !other || !own) return null;
  const { width, height } = place.peek();
  const { positionX = 0, positionY = 0 } = own.deviceTransform ?? {};
  const [right, down] = view.pivot.map((one, axis) => one - other.pivot[axis]);
  return { at: [(2 * right) / width, (2 * down) / height], position: [positionX, positionY], k: other.camera.k };
}

// Two fingers zoom and pan the view at once.
function pinch(stage) {
  return (from, to) => {
    if (from.length < 2) return;
    const [a, b] = [middle(from), middle(to)];
    panBy(b.x - a.x, b.y - a.y);
    zoomBy(apart(to) / apart(from), fromMiddle(stage, { clientX: b.x, clientY: b.y }));
  };
}

const middle = (points) => ({ x: (points[0].x + points[1].x) / 2, y: (points[0].y + points[1].y) / 2 });
const apart = (points) => Math.hypot(points[1].x - points[0].x, points[1].y - points[0].y) || 1;

// A point of the page, from the middle of the stage's free part.
function fromMiddle(stage, { clientX, clientY }) {
  const { left, top } = stage.getBoundingClientRect();
  const free = room.peek();
  return { x: clientX - left - free.left - free.width / 2, y: clientY - top - free.top - free.height / 2 };
}

// Two fingers size, roll and move the device at once.
function pair(box) {
  const now = transform.peek();
  const [shift, size, spin] = [move(now), resize(now), roll(now, facing())];
  return (from, to, keys) => {
    if (from.length < 2) return;
    const [a, b] = [middle(from), middle(to)];
    const angle = (points) => Math.atan2(points[1].y - points[0].y, points[1].x - points[0].x);
    transformBy({
      ...shift(b.x - a.x, b.y - a.y, box.width, box.height, keys),
      ...size(apart(to) / apart(from), keys),
      ...spin(-degrees(angle(to) - angle(from)), keys),
    });
  };
}

// The angle by which a pointer has moved around the pivot, in degrees counter-clockwise.
function angleBetween(pivot, from, to) {
  const angle = (point) => Math.atan2(point.y - pivot.y, point.x - pivot.x);
  return -degrees(angle(to) - angle(from));
}

function degrees(radians) {
  const angle = (radians * 180) / Math.PI;
  return angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle;
}

function facing() {
  const front = currentView()?.front;
  return front && area(front) < 0 ? -1 : 1;
}

function pictureOf(stage) {
  const { left, top, width, height } = stage.querySelector('.picture').getBoundingClientRect();
  return { left, top, width, height, stageHeight: stage.clientHeight };
}

function pivotOf(box) {
  const view = devices.peek().length && chosen.peek() === null ? null : currentView();
  const scale = box.width / (place.peek().width || box.width);
  const [x, y] = view ? view.pivot.map((one) => one * scale) : [box.width / 2, box.height / 2];
  return { x: box.left + x, y: box.top + y };
}
