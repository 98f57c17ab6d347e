// Every setting, in the server's groups and with its ranges.
import { html, useState } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Setting } from '../components/setting.js';
import { read, write } from '../browser/preferences.js';
import { isObject } from '../state/paths.js';
import { form } from '../state/schema.js';
import { faults } from '../state/status.js';
import { change, isSet, pathOf, value } from '../state/store.js';
import { category } from '../state/transform.js';
import { panel } from '../state/ui.js';

const OPEN = ['canvas', 'appearance']; // groups that are open at first
const FIRST = ['canvas.preset', 'deviceTransform.pose']; // these set other settings of their group

export function SettingsPanel() {
  const [words, setWords] = useState('');
  const [explained, setExplained] = useState(read('explained') === 'yes');
  const explain = () => {
    write('explained', explained ? null : 'yes');
    setExplained(!explained);
  };
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (setting) => wanted.every((word) => `${setting.path} ${setting.title} ${setting.description}`.toLowerCase().includes(word));
  const groups = form.value.groups
    .map((group) => ({ ...group, list: inOrder(form.value.settings.filter((one) => one.group === group.id && applies(one) && matches(one))) }))
    .filter(({ list }) => list.length);
  return html`<div class="stack">
    <div class="row row-tight">
      <div class="search">
        <${Icon} name="search" size=${16} />
        <input class="input" type="search" aria-label="Search settings" placeholder="Search settings" value=${words}
          onInput=${(event) => setWords(event.target.value)} />
      </div>
      <${Button} kind="quiet" icon="info" label="Explain the settings" pressed=${explained} onClick=${explain} />
    </div>
    ${groups.map((group) => html`<${Group} key=${group.id} group=${group} searched=${wanted.length > 0} explained=${explained} />`)}
    ${groups.length === 0 && html`<p class="soft">No setting is like this.</p>`}
  </div>`;
}

function Group({ group, searched, explained }) {
  const faulty = group.list.map((one) => pathOf(one.path)).some((known) => Object.keys(faults.value).some((path) => path === known || path.startsWith(`${known}.`)));
  const changed = group.list.some(({ path }) => isSet(path));
  const reset = () => change(Object.fromEntries(group.list.filter(({ path }) => path !== 'device').map(({ path }) => [path, undefined])), null);
  return html`<details class="group" open=${searched || faulty || OPEN.includes(group.id)}>
    <summary class="group-head">
      <${Icon} name="right" size=${14} /><h3>${group.title}</h3>
      ${changed && html`<span class="group-changed" title="Has settings that are changed" />`}
    </summary>
    <div class="group-body">
      ${group.list.map((setting) => setting.path === 'device'
        ? html`<${Button} key="device" icon="device" onClick=${() => (panel.value = 'device')}>Choose the device…<//>`
        : html`<${Setting} key=${setting.path} setting=${setting} explained=${explained} named depends=${depends(setting)} />`)}
      ${changed && html`<${Button} small kind="quiet" icon="reset" onClick=${reset}>Reset ${group.title.toLowerCase()}<//>`}
    </div>
  </details>`;
}

const inOrder = (list) => [...list].sort((a, b) => FIRST.includes(b.path) - FIRST.includes(a.path));

// Whether a setting is shown only while another is switched on.
const depends = ({ when = {} }) => Object.values(when).some((values) => values.includes(true));

/** Whether a setting has an effect with the other settings and on this device. */
export function applies({ when = {}, categories }) {
  if (categories && !categories.includes(category.value)) return false;
  return Object.entries(when).every(([path, values]) => {
    const now = value(path) ?? null;
    return values.includes(isObject(now) ? true : now);
  });
}
