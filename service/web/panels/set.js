// A store set: its locales, screens and sizes, the pictures of all of them to download, and the file of the set to copy.
import { html, useId, useState } from '../html.js';
import { chooseFiles } from '../browser/files.js';
import { Button } from '../components/button.js';
import { Code } from '../components/code.js';
import { Icon } from '../components/icon.js';
import { Select } from '../components/select.js';
import { named } from '../components/setting.js';
import { devices as catalogue, deviceOf, presets } from '../server/catalogue.js';
import { saveFile } from '../server/download.js';
import { shotOf } from '../server/screenshots.js';
import { drawSet, failures, progress, stopSet } from '../server/set.js';
import { toml } from '../snippets/toml.js';
import { addLocale, addScreens, addSize, changeSize, moveScreen, pictures, removeLocale, removeScreen, removeSize, renameScreen, setFile, showLocale, showScreen, untranslated, whole } from '../state/set.js';
import { toast } from '../state/status.js';
import { devices, set, settings, value } from '../state/store.js';
import { CATEGORIES, inOrder } from './order.js';

const USUAL = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'tr', 'ar', 'he', 'hi', 'ja', 'ko', 'zh-Hans', 'zh-Hant'];

export function SetPanel() {
  return html`<div class="stack">
    <p class="field-hint">Every screen in every locale and size. Texts and screenshots are those of the screen and locale that are shown; the look is that of all.</p>
    <${Locales} />
    <${Screens} />
    <${Sizes} />
    <${Whole} />
  </div>`;
}

// A text field of one line that shows its fault.
function Adding({ label, placeholder, list, add }) {
  const id = useId();
  const [fault, setFault] = useState('');
  const submit = (event) => {
    event.preventDefault();
    const found = add(new FormData(event.target).get('text'));
    setFault(found);
    if (!found) event.target.reset();
  };
  return html`<form class="field" onSubmit=${submit}>
    <div class="row row-tight">
      <input class="input" id=${id} name="text" required autocomplete="off" aria-label=${label} placeholder=${placeholder} list=${list && `${id}-list`}
        aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? `${id}-fault` : undefined} />
      <${Button} type="submit" icon="plus">Add<//>
    </div>
    ${list && html`<datalist id="${id}-list">${list.map((one) => html`<option key=${one} value=${one} />`)}</datalist>`}
    ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
  </form>`;
}

function Locales() {
  const { locales } = set.value;
  return html`<section class="field set-part" aria-label="Locales">
    <h3>Locales</h3>
    ${locales.length > 0 &&
    html`<ul class="chips" aria-label="Locales">
      ${locales.map((locale) => html`<li key=${locale} class="chip-pair">
        <button type="button" class="chip" aria-pressed=${String(set.value.locale === locale)} onClick=${() => showLocale(locale)}>${locale}</button>
        <${Button} kind="quiet" small icon="close" label="Remove ${locale}" onClick=${() => removeLocale(locale)} />
      </li>`)}
    </ul>`}
    <${Adding} label="Locale" placeholder="de, pt-BR, …" list=${USUAL.filter((one) => !locales.includes(one))} add=${addLocale} />
  </section>`;
}

function Screens() {
  const { screens, screen } = whole.value;
  const take = async (files) => {
    try {
      addScreens(await Promise.all(files.map((file) => shotOf(file, file.name))));
    } catch (error) {
      toast(error.message, 'error');
    }
  };
  return html`<section class="field set-part" aria-label="Screens">
    <h3>Screens</h3>
    <ul class="list" aria-label="Screens">
      ${screens.map((one, at) => html`<${Screen} key=${at} one=${one} at=${at} shown=${at === screen} last=${screens.length - 1} />`)}
    </ul>
    <${Button} icon="folder" onClick=${() => chooseFiles('image/*', take, { multiple: true })}>Add screenshots…<//>
  </section>`;
}

function Screen({ one, at, shown, last }) {
  const [fault, setFault] = useState('');
  return html`<li class="layer ${shown ? 'layer-chosen' : ''}">
    <div class="list-row">
      <button type="button" class="list-open" aria-pressed=${String(shown)} onClick=${() => !shown && showScreen(at)}>
        <${Icon} name="screenshot" size=${16} /><span class="list-name">${one.name}</span>
      </button>
    </div>
    ${shown &&
    html`<div class="layer-actions" role="group" aria-label=${one.name}>
      <input class="input screen-name" value=${one.name} aria-label="Name of the screen" aria-invalid=${fault ? 'true' : undefined}
        onChange=${(event) => setFault(renameScreen(at, event.target.value.trim()))} />
      <${Button} kind="quiet" small icon="up" label="Move up" disabled=${at === 0} onClick=${() => moveScreen(at, at - 1)} />
      <${Button} kind="quiet" small icon="down" label="Move down" disabled=${at === last} onClick=${() => moveScreen(at, at + 1)} />
      <${Button} kind="quiet" small icon="trash" label="Remove" disabled=${last === 0} onClick=${() => removeScreen(at)} />
    </div>`}
    ${fault && html`<p class="field-fault" role="alert">${fault}</p>`}
  </li>`;
}

function Sizes() {
  const { sizes } = set.value;
  const options = [{ value: null, label: 'Add a size…' }, ...presets.value.map(({ id, width, height }) => ({ value: id, label: `${named(id)}, ${width} × ${height}` }))];
  const of = (category) => inOrder(catalogue.value.filter((device) => device.category === category)).map(({ id, name }) => ({ value: id, label: name }));
  const choices = [{ value: undefined, label: 'Device as shown' }, ...Object.entries(CATEGORIES).map(([category, label]) => ({ label, options: of(category) }))];
  return html`<section class="field set-part" aria-label="Sizes">
    <h3>Sizes</h3>
    ${sizes.length > 0 &&
    html`<ul class="list" aria-label="Sizes">
      ${sizes.map((size, at) => html`<li key=${size.name} class="job">
        <p class="job-head">
          <span class="list-name">${named(size.preset)}</span>
          <${Button} kind="quiet" small icon="close" label="Remove ${size.name}" onClick=${() => removeSize(at)} />
        </p>
        ${devices.value.length === 0 && html`<${Select} label="Device of ${size.name}" options=${choices} value=${size.device} onChange=${(device) => changeSize(at, { device })} />`}
      </li>`)}
    </ul>`}
    <${Select} label="Add a size" options=${options} value=${null} onChange=${(preset) => preset && addSize({ preset })} />
  </section>`;
}

function Whole() {
  const list = pictures(whole.value, settings.value, devices.value, deviceOf);
  const lacking = untranslated(whole.value);
  // A locale with screenshots of its own.
  const [own] = whole.value.screens.flatMap(({ localized = {} }) => Object.keys(localized));
  const text = toml(setFile(whole.value, settings.value, devices.value));
  const draw = async () => {
    const archive = await drawSet();
    if (archive) saveFile(archive, 'set.zip');
  };
  const { done, count, waiting } = progress.value ?? {};
  return html`<section class="field set-part" aria-label="The whole set">
    <h3>${list.length === 1 ? '1 picture' : `${list.length} pictures`}</h3>
    ${lacking > 0 && html`<p class="job-warning">${lacking === 1 ? 'One text is' : `${lacking} texts are`} not translated: choose a locale, and type it on the picture.</p>`}
    ${progress.value
      ? html`<progress class="progress" value=${done} max=${count} aria-label="Pictures drawn" />
        <p class="field-hint" role="status">${waiting ? `The server is busy; trying again in ${waiting} s` : `${done + 1} of ${count}`}</p>
        <${Button} onClick=${stopSet}>Stop<//>`
      : html`<${Button} kind="primary" icon="download" onClick=${draw}>Download as ZIP<//>`}
    ${failures.value.map(({ name, message }) => html`<p class="field-fault" role="alert" key=${name}>${name}: ${message}</p>`)}
    <details class="more">
      <summary>The set as a file for <code>mockup set</code></summary>
      <${Code} title="set.toml" text=${text}>
        <p class="field-hint">Put the screenshots beside it, by the screens’ names: <code>shots/${whole.value.screens[0].name}${devices.value.length > 1 ? '-1' : ''}.png</code>${own ? html`, and those of one locale into a folder of its name: <code>shots/${own}/…</code>` : ''}.
          ${value('appearance.backgroundImage.type') === 'upload' ? 'Its background is an upload, which ends within the hour.' : ''}</p>
      <//>
    </details>
  </section>`;
}
