// The device as it is at this moment, in px of the picture's place on the stage: computed here, without the server.
import { aim, project } from '../geometry/camera.js';
import { hull } from '../geometry/outline.js';
import { shape } from '../state/picture.js';
import { resolve, transform } from '../state/transform.js';
import { place } from '../state/zoom.js';

/** `{camera, body, screens, front, back}` for the present settings, or null while the shape is not known. */
export function currentView() {
  return viewOf(transform.peek());
}

/** The same for other settings, such as those of the last picture. */
export function viewFor(settings) {
  return viewOf(resolve(settings));
}

function viewOf(present) {
  const device = shape.peek();
  const { width, height } = place.peek();
  if (!device || !width) return null;
  const camera = aim(present, device, width, height);
  const [w, h, d] = device.body.map((side) => side / 2);
  return {
    camera,
    body: hull(project(camera, device.points)),
    screens: device.screens.map(({ corners }) => project(camera, corners)),
    front: project(camera, [[-w, h, d], [w, h, d], [w, -h, d], [-w, -h, d]]),
    back: project(camera, [[-w, h, -d], [w, h, -d], [w, -h, -d], [-w, -h, -d]]),
  };
}
