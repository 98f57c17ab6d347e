// The time that the last picture took, in small type, and the server's stages on demand.
import { html, useState } from '../html.js';
import { status, timing } from '../state/status.js';

export function Timing() {
  const [open, setOpen] = useState(false);
  const last = timing.value;
  if (!last) return null;
  const busy = status.value.kind === 'working';
  return html`<details class="timing" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>
      <span class="timing-dot ${busy ? 'timing-busy' : ''}" aria-hidden="true" />
      <span class="visually-hidden">Last picture: </span>${last.roundTrip} ms
    </summary>
    ${open && html`<${Sheet} ...${last} />`}
  </details>`;
}

function Sheet({ roundTrip, server, stages, width, height }) {
  return html`<div class="timing-sheet">
    <p><b>${width} × ${height}</b> px in ${roundTrip} ms, of which the server took ${server} ms</p>
    <table>
      <tbody>
        ${stages.map(
          ({ name, time }) => html`<tr key=${name}><th scope="row">${name}</th><td>${time.toFixed(1)} ms</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
