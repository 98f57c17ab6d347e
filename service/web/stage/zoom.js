// The zoom buttons: in, out, and 100 %, where each pixel of the file is one of the display.
import { html } from '../html.js';
import { Button } from '../components/button.js';
import { hasPicture } from '../state/status.js';
import { shownZoom, toggleZoom, zoom, zoomStep } from '../state/zoom.js';

export function Zoom() {
  if (!hasPicture.value) return null;
  const whole = zoom.value === 1;
  return html`<div class="zoom" role="group" aria-label="Zoom" data-control>
    <${Button} kind="quiet" small icon="minus" label="Zoom out" keys="-" onClick=${() => zoomStep(-1)} />
    <button type="button" class="button button-quiet button-small zoom-amount" aria-pressed=${String(whole)}
      aria-label="${percent(shownZoom.value)}: ${whole ? 'fit the stage' : 'show at 100 %'}"
      data-tip=${whole ? 'Fit the stage (F)' : 'Show at 100 % (1)'} onClick=${toggleZoom}>${percent(shownZoom.value)}</button>
    <${Button} kind="quiet" small icon="plus" label="Zoom in" keys="+" onClick=${() => zoomStep(1)} />
  </div>`;
}

export const percent = (share) => `${Math.round(share * 100)} %`;
