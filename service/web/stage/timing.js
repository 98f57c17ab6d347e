// The time that the last picture took, in small type, and the server's stages on demand.
import { html } from '../html.js';
import { status, timing } from '../state/status.js';

export function Timing() {
  const last = timing.value;
  if (!last) return null;
  const busy = status.value.kind === 'working';
  return html`<details class="timing">
    <summary>
      <span class="timing-dot ${busy ? 'timing-busy' : ''}" aria-hidden="true" />
      <span class="visually-hidden">Last picture: </span>${last.roundTrip} ms
    </summary>
    <div class="timing-sheet">
      <p><b>${last.width} × ${last.height}</b> px in ${last.roundTrip} ms, of which the server took ${last.server} ms</p>
      <table>
        <tbody>
          ${last.stages.map(
            ({ name, time }) => html`<tr key=${name}><th scope="row">${name}</th><td>${time.toFixed(1)} ms</td></tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
