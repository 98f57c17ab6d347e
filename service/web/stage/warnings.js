// What may not look as intended in the last picture; the server tells codes, see "A mockup" in docs/api.md.
import { html } from '../html.js';
import { Icon } from '../components/icon.js';
import { warnings } from '../state/status.js';

const TEXTS = {
  UPSCALED: 'The screenshot has fewer pixels than the picture shows of it.',
  CROPPED: 'A part of the screenshot is cropped.',
  LETTERBOXED: 'Bars remain beside the screenshot.',
  STRETCHED: 'The screenshot is stretched.',
  ANIMATION_FLATTENED: 'The screenshot is animated; its first frame is shown.',
  COLOR_UNUSED: 'Nothing on this device takes the chosen colour.',
  NO_EFFECT: 'Some settings do nothing on this device.',
  MISSING_GLYPHS: 'The address or the title has characters that no font has.',
  FIELD_OF_VIEW_LIMITED: 'The perspective is limited: the camera would be inside the device.',
  OFF_CANVAS: 'A part of the device lies off the canvas.',
  ALPHA_FLATTENED: 'JPEG has no transparency; the picture is placed on white.',
};

export function Warnings() {
  const list = warnings.value;
  if (list.length === 0) return null;
  return html`<details class="timing warnings">
    <summary>
      <${Icon} name="warning" size=${15} />${list.length}
      <span class="visually-hidden">${list.length === 1 ? 'warning' : 'warnings'}</span>
    </summary>
    <ul class="timing-sheet">
      ${list.map(({ code, message }) => html`<li key=${code}>${message || TEXTS[code] || code}</li>`)}
    </ul>
  </details>`;
}
