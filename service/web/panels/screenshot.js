// The screenshot: its properties, how to replace it, and its fit to the screen.
import { html, useEffect, useId, useMemo, useState } from '../html.js';
import { touch } from '../browser/pointer.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { leaveScreenshot } from '../server/screenshots.js';
import { usualShot } from '../state/set.js';
import { chooseFile, pasteFromClipboard, takeText } from '../stage/sources.js';
import { faults } from '../state/status.js';
import { current, devices, screenshot, set } from '../state/store.js';
import { Batch } from './batch.js';
import { WhichDevice } from './which.js';

export function ScreenshotPanel() {
  const shot = screenshot.value;
  const fault = ['screenshot', 'screenshot.src'].map((path) => faults.value[`${shotPlace()}${path}`]).find(Boolean);
  return html`<div class="stack">
    <${WhichDevice} />
    ${shot ? html`<${Current} shot=${shot} />` : html`<${Empty} />`}
    <${Shared} />
    ${fault && html`<p class="field-fault" role="alert">${fault}</p>`}
    <div class="row">
      <${Button} icon="folder" onClick=${chooseFile}>${shot ? 'Replace' : 'Choose'}<//>
      <${Button} icon="paste" onClick=${pasteFromClipboard}>Paste<//>
    </div>
    <${Address} />
    ${devices.value.length === 0 && html`<${Batch} />`}
  </div>`;
}

const shotPlace = () => (devices.value.length ? `devices[${current.value}].` : '');

function Current({ shot }) {
  const address = useMemo(() => (shot.blob ? URL.createObjectURL(shot.blob) : null), [shot.blob]);
  useEffect(() => () => address && URL.revokeObjectURL(address), [address]);
  return html`<figure class="shot">
    ${address
      ? html`<img class="shot-picture" src=${address} alt="The screenshot" />`
      : html`<div class="shot-picture shot-remote"><${Icon} name="link" size=${22} /></div>`}
    <figcaption class="shot-caption">
      <span class="shot-name" title=${shot.name}>${shot.name}</span>
      ${shot.width > 0 && html`<span class="shot-size">${shot.width} × ${shot.height}</span>`}
      ${!isShared() && html`<${Button} kind="quiet" small icon="close" label="Back to ${usualShot(current.value) ? `that of ${set.value.locales[0]}` : 'the sample'}" onClick=${leaveScreenshot} />`}
    </figcaption>
  </figure>`;
}

// Whether the shown locale has the screenshot of the first locale.
function isShared() {
  const usual = usualShot(current.value);
  return usual !== undefined && (usual?.id ?? null) === (screenshot.value?.id ?? null);
}

function Shared() {
  const { locales, locale } = set.value;
  if (usualShot(current.value) === undefined) return null;
  return html`<p class="field-hint">${isShared() ? `As in ${locales[0]}. A screenshot that you choose now is that of ${locale} alone.` : `Only in ${locale}.`}</p>`;
}

function Empty() {
  return html`<button type="button" class="dropzone" onClick=${chooseFile}>
    <${Icon} name="screenshot" size=${26} />
    <b>${touch ? 'Choose a screenshot' : 'Drop a screenshot'}</b>
    <span>${touch ? '' : html`or paste it with <kbd>Ctrl</kbd> <kbd>V</kbd>. `}Until then, a sample is shown.</span>
  </button>`;
}

function Address() {
  const id = useId();
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    setBusy(true);
    const message = await takeText(new FormData(form).get('url').trim());
    setBusy(false);
    setFault(message);
    if (!message) form.reset();
  };
  return html`<form class="field" onSubmit=${submit}>
    <div class="field-head"><label class="field-label" for=${id}>From an address</label></div>
    <div class="row row-tight">
      <input class="input" id=${id} name="url" type="url" required placeholder="https://…" autocomplete="off"
        aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? `${id}-fault` : undefined} />
      <${Button} type="submit" disabled=${busy}>${busy ? 'Loading…' : 'Load'}<//>
    </div>
    ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
  </form>`;
}
