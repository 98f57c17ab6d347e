// All properties of a caption.
import { html, useEffect } from '../html.js';
import { Field } from '../components/field.js';
import { Select } from '../components/select.js';
import { Setting } from '../components/setting.js';
import { Switch } from '../components/switch.js';
import { families, loadFonts } from '../stage/caption_tools.js';
import { captions, LONGEST, textOf, typeText } from '../state/captions.js';
import { describe } from '../state/schema.js';
import { change, settings, value } from '../state/store.js';

const MEMBERS = ['font.size', 'font.weight', 'font.italic', 'color', 'align', 'x', 'y', 'anchor', 'width', 'rotation', 'font.lineHeight', 'font.letterSpacing', 'direction', 'overflow'];
const BACKGROUND = ['background.color', 'background.radius', 'background.padding'];

export function CaptionSettings({ at }) {
  const one = captions.value[at];
  const path = (name) => `captions[${at}].${name}`;
  useEffect(loadFonts, []);
  const setting = (name) => html`<${Setting} key=${path(name)} setting=${describe(path(name))} />`;
  return html`<section class="stack" aria-label="Caption">
    <${Field} path=${path('text')} label="Text" required>
      ${({ id, describedBy, invalid }) => html`<textarea class="input textarea caption-text" id=${id} rows="2" maxlength=${LONGEST} dir="auto"
        aria-describedby=${describedBy} aria-invalid=${invalid} value=${textOf(one, settings.value.language)}
        onInput=${(event) => typeText(at, event.target.value)} />`}
    <//>
    <${Field} path=${path('font.family')} label="Font">
      ${(control) => html`<${Select} ...${control} options=${families(value(path('font.family')))} value=${value(path('font.family'))}
        onChange=${(next) => change({ [path('font.family')]: next })} />`}
    <//>
    ${MEMBERS.map(setting)}
    <${Field} label="Background" inline>
      ${(control) => html`<${Switch} ...${control} checked=${Boolean(one.background)}
        onChange=${(on) => change({ [path('background')]: on ? { color: '#FFFFFF' } : undefined }, null)} />`}
    <//>
    ${one.background && html`<div class="stack depends">${BACKGROUND.map(setting)}</div>`}
  </section>`;
}
