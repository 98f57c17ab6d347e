// Poses, as pictures of this kind of device, and controls for how the device fills the picture.
import { html } from '../html.js';
import { Pictures } from '../components/pictures.js';
import { named } from '../components/setting.js';
import { poses } from '../server/catalogue.js';
import { change, chosen, value } from '../state/store.js';
import { category, MEMBERS, MOVED } from '../state/transform.js';

const KEPT = ['scale', 'positionX', 'positionY'];

/** Takes a pose, and removes the settings that it decides. */
function takePose(id) {
  const decided = chosen.peek() === null ? MEMBERS : MOVED;
  const left = decided.filter((name) => !KEPT.includes(name)).map((name) => [`deviceTransform.${name}`, undefined]);
  change({ ...Object.fromEntries(left), 'deviceTransform.pose': id }, null);
}

export function PosePanel() {
  const options = poses.value.map(({ id, description, preview }) => ({
    value: id,
    label: named(id),
    title: description,
    src: `${preview}?category=${category.value}`,
  }));
  return html`<${Pictures} label="Poses" shape="wide" columns=${2} options=${options} value=${value('deviceTransform.pose')} onChange=${takePose} />`;
}
