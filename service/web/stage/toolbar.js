// The tools below the stage: what dragging does, and buttons that do the same without a drag.
import { html } from '../html.js';
import { Button } from '../components/button.js';
import { Segmented } from '../components/segmented.js';
import { resetTransform, transform } from '../state/transform.js';
import { isSet } from '../state/store.js';
import { tool } from '../state/ui.js';
import { shownZoom } from '../state/zoom.js';
import { nudge } from './gestures.js';
import { Timing } from './timing.js';
import { Warnings } from './warnings.js';
import { percent } from './zoom.js';

const TOOLS = [
  { value: 'turn', label: 'Turn', icon: 'turn' },
  { value: 'move', label: 'Move', icon: 'move' },
  { value: 'size', label: 'Size', icon: 'size' },
  { value: 'roll', label: 'Roll', icon: 'roll' },
  { value: 'pan', label: 'Pan', icon: 'pan' },
];
const ARROWS = (verb) => [
  { icon: 'left', label: `${verb} left`, by: [-1, 0] },
  { icon: 'up', label: `${verb} up`, by: [0, -1] },
  { icon: 'down', label: `${verb} down`, by: [0, 1] },
  { icon: 'right', label: `${verb} right`, by: [1, 0] },
];
const NUDGES = {
  turn: ARROWS('Turn'),
  move: ARROWS('Move'),
  size: [
    { icon: 'minus', label: 'Smaller', by: [-1, 0] },
    { icon: 'plus', label: 'Larger', by: [1, 0] },
  ],
  roll: [
    { icon: 'counterclockwise', label: 'Roll counter-clockwise', by: [-1, 0] },
    { icon: 'clockwise', label: 'Roll clockwise', by: [1, 0] },
  ],
  pan: ARROWS('Pan'),
};

export function Toolbar() {
  return html`<div class="toolbar" role="toolbar" aria-label="Device" data-control>
    <${Segmented} label="Dragging does" options=${TOOLS} value=${tool.value} onChange=${(name) => (tool.value = name)} />
    <div class="toolbar-nudges">
      ${NUDGES[tool.value].map(
        ({ icon, label, by }) =>
          html`<${Button} key=${label} kind="quiet" icon=${icon} label=${label}
            onClick=${(event) => nudge(tool.peek(), by, event.shiftKey)} />`,
      )}
    </div>
    <${Readout} />
    <${Reset} />
    <${Warnings} />
    <${Timing} />
  </div>`;
}

// Separate components, because they are drawn again with each move of a pointer.
function Reset() {
  return html`<${Button} kind="quiet" icon="reset" label="Reset the device" keys="0"
    disabled=${!isSet('deviceTransform')} onClick=${resetTransform} />`;
}

function Readout() {
  const now = transform.value;
  const cells = {
    turn: [['X', `${now.rotationX}°`], ['Y', `${now.rotationY}°`]],
    move: [['X', now.positionX], ['Y', now.positionY]],
    size: [['', `${Math.round(now.scale * 100)} %`]],
    roll: [['Z', `${now.rotationZ}°`]],
    pan: [['', percent(shownZoom.value)]],
  }[tool.value];
  return html`<output class="toolbar-readout" aria-hidden="true">
    <span class="toolbar-figures">
      ${cells.map(([axis, text]) => html`<span key=${axis}>${axis && html`<b>${axis}</b>`}${text}</span>`)}
    </span>
  </output>`;
}
