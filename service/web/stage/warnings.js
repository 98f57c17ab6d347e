// The warnings about the last picture, with figures and with buttons that mend them.
import { html } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { deviceOf } from '../server/catalogue.js';
import { warnings } from '../state/status.js';
import { deviceName, present } from '../state/picture.js';
import { change, chosen, current, value } from '../state/store.js';
import { finding, mends, ofDevice, short } from './mending.js';

export function Warnings() {
  const list = warnings.value;
  if (list.length === 0) return null;
  const text = list.length === 1 ? short(list[0]) : '';
  return html`<details class="timing warnings">
    <summary>
      <${Icon} name="warning" size=${15} />
      <span class=${text ? 'warnings-text' : ''}>${text}</span><span class=${text ? 'warnings-count' : ''} aria-hidden="true">${list.length}</span>
      <span class="visually-hidden">${list.length === 1 ? 'warning' : `${list.length} warnings`}</span>
    </summary>
    <ul class="timing-sheet warnings-sheet">
      ${list.map((warning) => html`<${One} key=${warning.code + warning.message} warning=${warning} />`)}
    </ul>
  </details>`;
}

function One({ warning }) {
  const { place, about } = ofDevice(warning, present.value.places);
  const found = place === null || place === current.value ? mends(about, value, deviceOf) : [];
  return html`<li>
    ${place !== null && html`<${Button} small kind="quiet" onClick=${() => (chosen.value = place)}>${deviceName(place)}<//>`}
    <p>${finding(about, found.length > 0)}</p>
    ${found.length > 0 &&
    html`<div class="warnings-mends">
      ${found.map(({ label, changes }) => html`<${Button} key=${label} small onClick=${() => change(changes, null)}>${label}<//>`)}
    </div>`}
  </li>`;
}
