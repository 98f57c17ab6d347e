// The control of a setting, by its kind, in the frame with its label, reset and error.
import { html } from '../html.js';
import { environments, poses, presets } from '../server/catalogue.js';
import { isObject } from '../state/paths.js';
import { change, value } from '../state/store.js';
import { Color } from './color.js';
import { useDraft } from './draft.js';
import { Field } from './field.js';
import { Icon } from './icon.js';
import { Pictures } from './pictures.js';
import { Segmented } from './segmented.js';
import { Select } from './select.js';
import { Slider } from './slider.js';
import { Switch } from './switch.js';
import { Text } from './text.js';

const FEW = 4; // the most options that fit beside each other
const LONG = 20_000; // a longer range gets a number field without a slider
const SMALL_WORDS = { og: 'Open Graph', hd: 'HD', '4k': '4K', ipad: 'iPad', youtube: 'YouTube', linkedin: 'LinkedIn' };

/**
 * `setting` is an entry of `GET /api/v1/settings`; `explained` shows its meaning beneath it, `named` also its name in
 * requests, and `depends` indents it below the switch that it depends on.
 */
export function Setting({ setting, explained = false, named: shown = false, depends = false }) {
  const { path, kind, title, description } = setting;
  const grouped = (kind === 'choice' && setting.options.length <= FEW) || ['/api/v1/environments', '/api/v1/presets'].includes(setting.list);
  const Control = { number: Amount, integer: Amount, boolean: Toggle, switch: Toggle, color: Tint, choice: Choice, name: Name, text: Text }[kind];
  const hint = explained ? html`<span class="hint-text">${description}</span>${shown && html` <code>${path}</code>`}` : undefined;
  return html`<div class=${depends ? 'depends' : undefined} title=${explained ? undefined : description}>
    <${Field} path=${path} label=${title} group=${grouped} inline=${Control === Toggle} hint=${hint}>
      ${(control) => html`<${Control} ...${control} ...${setting} />`}
    <//>
  </div>`;
}

function Amount({ path, kind, minimum, maximum, step, unit, default: usual, id, describedBy, invalid }) {
  const typed = useDraft(value(path) ?? '', (event) => event.target.value !== '' && change({ [path]: Number(event.target.value) }));
  // There is no room for a longer unit, such as `× 0.6 %`; the explanation has it.
  const short = unit?.length <= 2 ? unit : '';
  if (maximum - minimum < LONG) return html`<${Slider} ...${{ path, minimum, maximum, step, unit: short, usual, id, describedBy, invalid }} />`;
  return html`<span class="number"><input class="number-input" type="number" id=${id} min=${minimum} max=${maximum} step=${kind === 'integer' ? 1 : 'any'}
    aria-describedby=${describedBy} aria-invalid=${invalid} ...${typed} /></span>`;
}

// An effect whose value is an object of its members is on, too.
function Toggle({ path, id, describedBy, invalid }) {
  const on = isObject(value(path)) || value(path) === true;
  return html`<${Switch} ...${{ id, describedBy, invalid }} checked=${on} onChange=${(next) => change({ [path]: next }, null)} />`;
}

function Tint({ path, title, alpha, keywords, id, describedBy, invalid }) {
  return html`<${Color} ...${{ path, title, alpha, keywords, id, describedBy, invalid }} />`;
}

function Choice({ path, title, options, default: usual, id, describedBy, invalid }) {
  const choices = options.map((one) => ({ value: one.value, label: one.title }));
  if (usual === null) choices.unshift({ value: undefined, label: 'Auto' });
  const Control = options.length <= FEW ? Segmented : Select;
  return html`<${Control} ...${{ id, describedBy, invalid }} label=${title} options=${choices} value=${value(path)}
    onChange=${(next) => change({ [path]: next })} />`;
}

function Name({ path, title, list, id, describedBy, invalid }) {
  const choose = (next) => change({ [path]: next }, null);
  if (list === '/api/v1/environments') {
    const options = environments.value.map((one) => ({ value: one.id, label: named(one.id), title: one.description, src: one.preview ?? undefined }));
    return html`<${Pictures} label=${title} shape="flat" columns=${3} options=${options} value=${value(path)} onChange=${choose} describedBy=${describedBy} />`;
  }
  if (list === '/api/v1/presets') {
    const options = presets.value.map((one) => ({
      value: one.id,
      label: named(one.id),
      detail: `${one.width} × ${one.height}`,
      picture: html`<${Shape} ...${one} />`,
    }));
    const own = { value: undefined, label: 'Own size', title: 'Width and height of your own', picture: html`<${Icon} name="size" size=${20} />` };
    return html`<${Pictures} label=${title} shape="flat" columns=${3} many options=${[own, ...options]} value=${value(path)} onChange=${choose} describedBy=${describedBy} />`;
  }
  const options = (list === '/api/v1/poses' ? poses.value : []).map((one) => ({ value: one.id, label: named(one.id) }));
  return html`<${Select} ...${{ id, describedBy, invalid }} options=${[{ value: undefined, label: 'None' }, ...options]} value=${value(path)} onChange=${choose} />`;
}

// A canvas as a small rectangle of its proportions.
function Shape({ width, height }) {
  const scale = Math.min(44 / width, 30 / height);
  const [w, h] = [width * scale, height * scale];
  return html`<svg class="shape" width="48" height="34" viewBox="-24 -17 48 34" aria-hidden="true">
    <rect x=${-w / 2} y=${-h / 2} width=${w} height=${h} rx="2" />
  </svg>`;
}

/** A readable form of an id such as `app-store-6.9`. */
export function named(id) {
  return id.split('-').map((word) => SMALL_WORDS[word] ?? word[0].toUpperCase() + word.slice(1)).join(' ');
}
