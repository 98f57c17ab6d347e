// The device: its model, finish and orientation, or a description; and the texts in its window.
import { html, useId, useState } from '../html.js';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { Icon } from '../components/icon.js';
import { Pictures } from '../components/pictures.js';
import { Segmented } from '../components/segmented.js';
import { Select } from '../components/select.js';
import { Text } from '../components/text.js';
import { devices, deviceOf } from '../server/catalogue.js';
import { takesColor } from '../state/finish.js';
import { isObject } from '../state/paths.js';
import { pictureDevice } from '../state/picture.js';
import { describe } from '../state/schema.js';
import { change, value } from '../state/store.js';
import { category } from '../state/transform.js';
import { WhichDevice } from './which.js';
import { DescribedDevice, describeLike } from './described.js';
import { Finishes } from './finishes.js';
import { CATEGORIES, inOrder } from './order.js';

// Such devices look alike from the front, but have different cameras.
const BACKS = ['phone'];

export function DevicePanel() {
  const described = isObject(value('device'));
  const choose = (kind) => {
    if ((kind === 'described') !== described) chooseDevice(kind === 'described' ? describeLike(shownDevice()) : shownDevice()?.id ?? 'auto');
  };
  return html`<div class="stack">
    <${WhichDevice} />
    <${Segmented} label="Kind of device" value=${described ? 'described' : 'catalogue'} onChange=${choose}
      options=${[{ value: 'catalogue', label: 'Catalogue' }, { value: 'described', label: 'Custom' }]} />
    ${described ? html`<${DescribedDevice} />` : html`<${Shown} />`}
    <${Orientation} />
    <${Words} />
    ${!described && html`<${Catalogue} onDescribe=${() => choose('described')} />`}
  </div>`;
}

/** The catalogue's device on the stage, which `auto` may have chosen. */
function shownDevice() {
  const id = value('device');
  return deviceOf(id === 'auto' || isObject(id) ? pictureDevice.value : id);
}

/** Takes another device; the colour stays unless it is a finish that the device does not have. */
function chooseDevice(id) {
  const kept = takesColor(value('appearance.deviceColor'), deviceOf(id));
  change({ device: id, ...(kept ? {} : { 'appearance.deviceColor': undefined }) }, null);
}

function Shown() {
  const device = shownDevice();
  if (!device && value('device') === 'auto' && pictureDevice.value === 'custom') {
    return html`<${Field} path="device" label="Chosen to suit the screenshot" group required>
      ${() => html`<p class="device-name">Of the screenshot's own shape</p>`}
    <//>`;
  }
  if (!device) return null;
  const { name, screen, year, finishes } = device;
  const facts = [device.brand, year, !screen.fitted && `${screen.width} × ${screen.height}`].filter(Boolean).join(' · ');
  return html`<${Field} path="device" label=${value('device') === 'auto' ? 'Chosen to suit the screenshot' : 'Device'} group required>
      ${() => html`<p class="device-name">${name}</p><p class="field-hint">${facts}</p>`}
    <//>
    ${finishes.length > 0 && html`<${Finishes} device=${device} />`}`;
}

function Orientation() {
  const { title, options } = describe('orientation');
  const choices = options.map((one) => ({ value: one.value, label: one.title }));
  return html`<${Field} path="orientation" label=${title}>
    ${(control) => html`<${Select} ...${control} options=${choices} value=${value('orientation')} onChange=${(next) => change({ orientation: next })} />`}
  <//>`;
}

// The window's address and title, for devices that show them.
function Words() {
  const shown = ['screen.url', 'screen.title'].map(describe).filter((one) => one?.categories?.includes(category.value));
  return shown.map(
    ({ path, title, maxLength }) => html`<${Field} key=${path} path=${path} label=${title}>
      ${(control) => html`<${Text} ...${control} path=${path} maxLength=${maxLength} placeholder=${path === 'screen.url' ? 'example.com' : ''} />`}
    <//>`,
  );
}

function Catalogue({ onDescribe }) {
  const id = useId();
  const [words, setWords] = useState('');
  const [kind, setKind] = useState(category.peek());
  const [brand, setBrand] = useState(null);
  const kinds = [...new Set(devices.value.map((device) => device.category))];
  const brands = [...new Set(devices.value.map((device) => device.brand).filter(Boolean))].sort();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = inOrder(devices.value).filter((device) => {
    const text = [device.name, device.id, device.brand, ...device.aliases].join(' ').toLowerCase();
    // A search ignores the chosen category and brand.
    return wanted.length ? wanted.every((word) => text.includes(word)) : (!kind || device.category === kind) && (!brand || device.brand === brand);
  });
  const options = found.map((device) => ({ value: device.id, label: device.name.replace(/^.*window, /i, ''), title: device.name, src: `${device.preview}?size=160${BACKS.includes(device.category) ? '&view=back' : ''}` }));
  const auto = { value: 'auto', label: 'Auto', title: 'Chosen to suit the screenshot', picture: html`<${Icon} name="looks" size=${24} />` };
  return html`<section class="stack" aria-label="Catalogue">
    <div class="search">
      <${Icon} name="search" size=${16} />
      <input class="input" id=${id} type="search" placeholder="Search ${devices.value.length} devices" aria-label="Search devices"
        value=${words} onInput=${(event) => setWords(event.target.value)} />
    </div>
    <div class="row filters">
      <${Select} label="Category" value=${kind} onChange=${setKind}
        options=${[{ value: null, label: 'All kinds' }, ...kinds.map((one) => ({ value: one, label: CATEGORIES[one] ?? one }))]} />
      <${Select} label="Brand" value=${brand} onChange=${setBrand}
        options=${[{ value: null, label: 'All brands' }, ...brands.map((one) => ({ value: one, label: one }))]} />
    </div>
    <${Pictures} label="Devices" options=${[auto, ...options]} value=${value('device')} onChange=${chooseDevice} />
    ${found.length === 0 &&
    html`<div class="stack">
      <p class="soft">No device is like this. A custom one of the same kind takes any size, bezel and colour.</p>
      <div class="row">
        <${Button} onClick=${onDescribe}>Custom device<//>
        <${Button} onClick=${() => (setWords(''), setKind(null), setBrand(null))}>Show all<//>
      </div>
    </div>`}
    <p class="visually-hidden" role="status">${found.length} devices</p>
  </section>`;
}
