// The picture's layers, the topmost first, which can be chosen, moved, hidden, duplicated and removed; and
// the chosen layer's place.
import { effect, html, useEffect } from '../html.js';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { Icon } from '../components/icon.js';
import { Select } from '../components/select.js';
import { Setting } from '../components/setting.js';
import { backgroundChosen } from '../state/background.js';
import { addCaption, caption, captions, chooseCaption, duplicateCaption, hideCaption, MOST_CAPTIONS, moveCaption, removeCaption, textOf } from '../state/captions.js';
import { deviceName } from '../state/picture.js';
import { addDevice, duplicateDevice, hideDevice, MOST_DEVICES, moveDevice, removeDevice } from '../state/scene.js';
import { describe } from '../state/schema.js';
import { change, chosen, devices, settings, value } from '../state/store.js';
import { panel } from '../state/ui.js';
import { Background } from './background.js';
import { CaptionSettings } from './caption.js';

const OWN = ['deviceTransform.positionX', 'deviceTransform.positionY', 'deviceTransform.rotationX', 'deviceTransform.rotationY', 'deviceTransform.rotationZ', 'depth'];

export function LayersPanel() {
  // Only one layer is chosen at a time, whether here or on the stage.
  useEffect(() => effect(() => (caption.value !== null || chosen.value !== null) && (backgroundChosen.value = false)), []);
  const list = devices.value;
  return html`<div class="stack">
    <ul class="list layers" aria-label="Layers">
      ${captions.value.map((one, at) => html`<${CaptionLayer} key=${`caption ${at}`} one=${one} at=${at} />`).reverse()}
      ${(list.length ? list : [{}]).map((device, place) => html`<${DeviceLayer} key=${place} device=${device} place=${place} />`)}
      <${BackgroundLayer} />
    </ul>
    <div class="row">
      <${Button} icon="device" disabled=${list.length >= MOST_DEVICES} onClick=${add}>Add a device<//>
      <${Button} icon="type" disabled=${captions.value.length >= MOST_CAPTIONS} onClick=${addCaption}>Add a caption<//>
    </div>
    ${backgroundChosen.value && html`<${Background} />`}
    ${caption.value !== null && html`<${CaptionSettings} at=${caption.value} />`}
    ${list.length > 1 && html`<${Layout} />`}
    ${list.length > 0 && chosen.value !== null && html`<${Own} />`}
  </div>`;
}

// Adds a default device, and opens the panel in which to choose another.
function add() {
  addDevice({ device: 'iphone-16-pro' });
  panel.value = 'device';
}

function chooseDevice(place) {
  chooseCaption(null);
  chosen.value = chosen.value === place ? null : place;
}

function DeviceLayer({ device, place }) {
  const last = devices.value.length - 1;
  const scene = last >= 0;
  const name = deviceName(place);
  return html`<${Layer} icon="device" name=${name} chosen=${scene && chosen.value === place} hidden=${device.hidden}
    onChoose=${() => (scene ? chooseDevice(place) : (panel.value = 'device'))}
    onHide=${last > 0 ? () => hideDevice(place, !device.hidden) : undefined}
    onMove=${last > 0 ? (by) => moveDevice(place, place + by) : undefined}
    onDuplicate=${last + 1 < MOST_DEVICES ? () => duplicateDevice(place) : undefined}
    onRemove=${last > 0 ? () => removeDevice(place) : undefined} first=${place === 0} last=${place === last} />`;
}

function BackgroundLayer() {
  const { hidden } = settings.value.appearance ?? {};
  const choose = () => {
    chooseCaption(null);
    chosen.value = null;
    backgroundChosen.value = !backgroundChosen.value;
  };
  return html`<${Layer} icon="background" name="Background" chosen=${backgroundChosen.value} hidden=${hidden} onChoose=${choose}
    onHide=${() => change({ 'appearance.hidden': hidden ? undefined : true }, null)} />`;
}

function CaptionLayer({ one, at }) {
  const name = textOf(one, settings.value.language).replace(/\s+/g, ' ') || 'Empty caption';
  const last = captions.value.length - 1;
  return html`<${Layer} icon="type" name=${name} chosen=${caption.value === at} hidden=${one.hidden} first=${at === last} last=${at === 0}
    onChoose=${() => chooseCaption(caption.value === at ? null : at)} onHide=${() => hideCaption(at, !one.hidden)}
    onMove=${last > 0 ? (by) => moveCaption(at, at - by) : undefined}
    onDuplicate=${last + 1 < MOST_CAPTIONS ? () => duplicateCaption(at) : undefined} onRemove=${() => removeCaption(at)} />`;
}

// A row, without buttons for actions that its layer does not have. Alt and an arrow key move it, as its
// buttons do.
function Layer({ icon, name, chosen: isChosen, hidden, first, last, onChoose, onHide, onMove, onDuplicate, onRemove }) {
  const press = (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.altKey || !onMove) return;
    event.preventDefault();
    onMove(by);
  };
  return html`<li class="layer ${isChosen ? 'layer-chosen' : ''} ${hidden ? 'layer-hidden' : ''}" onKeyDown=${press}>
    <div class="list-row">
      <button type="button" class="list-open" aria-pressed=${String(Boolean(isChosen))} onClick=${onChoose}>
        <${Icon} name=${icon} size=${16} /><span class="list-name">${name}</span>
      </button>
      ${onDuplicate && !isChosen && !onHide && html`<${Button} kind="quiet" small icon="copy" label="Duplicate ${name}" onClick=${onDuplicate} />`}
      ${onHide && html`<${Button} kind="quiet" small icon=${hidden ? 'hidden' : 'shown'} label=${hidden ? `Show ${name}` : `Hide ${name}`} onClick=${onHide} />`}
    </div>
    ${isChosen && (onMove || onDuplicate || onRemove) &&
    html`<div class="layer-actions" role="group" aria-label=${name}>
      ${onMove && html`<${Button} kind="quiet" small icon="up" label="Move up" disabled=${first} onClick=${() => onMove(-1)} />
        <${Button} kind="quiet" small icon="down" label="Move down" disabled=${last} onClick=${() => onMove(1)} />`}
      ${onDuplicate && html`<${Button} kind="quiet" small icon="copy" label="Duplicate" keys="Ctrl D" onClick=${onDuplicate} />`}
      ${onRemove && html`<${Button} kind="quiet" small icon="trash" label="Remove" keys="Delete" onClick=${onRemove} />`}
    </div>`}
  </li>`;
}

function Layout() {
  const { title, options } = describe('layout');
  const choices = options.map((one) => ({ value: one.value, label: one.title }));
  return html`<${Field} path="layout" label=${title}>
    ${(control) => html`<${Select} ...${control} options=${choices} value=${value('layout')} onChange=${(next) => change({ layout: next }, null)} />`}
  <//>`;
}

// The chosen device's position and rotation relative to its place in the layout.
function Own() {
  return html`<section class="stack" aria-label="Place of the device">
    <div class="row"><${Button} icon="device" onClick=${() => (panel.value = 'device')}>Change the device…<//></div>
    ${OWN.map((path) => html`<${Setting} key=${path} setting=${describe(path)} />`)}
  </section>`;
}
