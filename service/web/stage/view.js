// The device as it is at this moment, in px of the picture's place on the stage: computed here, without the server. The
// devices of a scene are where they were in the last picture.
import { aim, project, told } from '../geometry/camera.js';
import { contains, hull } from '../geometry/outline.js';
import { picture } from '../server/live.js';
import { shapes } from '../state/picture.js';
import { current, devices } from '../state/store.js';
import { resolve, transform } from '../state/transform.js';
import { place } from '../state/zoom.js';

/** `{camera, body, screens, front, back}` of the current device, or null while it is not known. */
export function currentView() {
  if (devices.peek().length) return sceneViews().find((one) => one.place === current.peek()) ?? null;
  return viewOf(transform.peek());
}

/** The view, as of `currentView`, with other settings of a single device, such as those of the last picture. */
export function viewFor(settings) {
  return viewOf(resolve(settings));
}

/** The views of a scene's devices, as of `currentView`, each with its `place` in the list, the nearest first. */
export function sceneViews() {
  const { of, geometry = [] } = picture.peek() ?? {};
  const { width } = place.peek();
  if (!of?.devices.length || !width) return [];
  return geometry
    .flatMap((one, at) => {
      const shape = shapes.peek()[of.places[at]];
      return shape ? [{ place: of.places[at], ...seen(told(one, width / one.width), shape) }] : [];
    })
    .sort((a, b) => b.camera.k - a.camera.k);
}

/** The place of the nearest device of a scene at a point of the picture's place, or null. */
export function deviceAt(point) {
  return sceneViews().find(({ body }) => contains(body, point))?.place ?? null;
}

function viewOf(present) {
  const device = shapes.peek()[0];
  const { width, height } = place.peek();
  return device && width ? seen(aim(present, device, width, height), device) : null;
}

function seen(camera, device) {
  const [w, h, d] = device.body.map((side) => side / 2);
  return {
    camera,
    pivot: project(camera, [[0, 0, 0]])[0],
    body: hull(project(camera, device.points)),
    screens: device.screens.map(({ corners }) => project(camera, corners)),
    front: project(camera, [[-w, h, d], [w, h, d], [w, -h, d], [-w, -h, d]]),
    back: project(camera, [[-w, h, -d], [w, h, -d], [w, -h, -d], [-w, -h, -d]]),
  };
}
