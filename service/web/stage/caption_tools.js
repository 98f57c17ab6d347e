// The tools below the stage while a caption is chosen: its font, size, colour and alignment.
import { html, signal, useEffect } from '../html.js';
import { Button } from '../components/button.js';
import { Color } from '../components/color.js';
import { Segmented } from '../components/segmented.js';
import { Select } from '../components/select.js';
import { getJSON } from '../server/api.js';
import { caption, chooseCaption, duplicateCaption, removeCaption, typing } from '../state/captions.js';
import { describe } from '../state/schema.js';
import { change, value } from '../state/store.js';
import { toast } from '../state/status.js';

/** Families that captions can have, loaded when the first caption is chosen. */
const fonts = signal([]);

const [REGULAR, BOLD] = [400, 600];
const SIDES = ['left', 'center', 'right'].map((side) => ({ value: side, label: `Align ${side}`, icon: `align-${side}` }));

export function loadFonts() {
  if (!fonts.peek().length) getJSON('/api/v1/fonts').then((found) => (fonts.value = found.fonts), (error) => toast(error.message, 'error'));
}

/** The families as options of a choice, the present one among them, which the server may not have. */
export function families(present) {
  return [...new Set([present, ...fonts.value.map(({ family }) => family)])].map((family) => ({ value: family, label: family }));
}

export function CaptionTools() {
  const at = caption.value;
  const path = (name) => `captions[${at}].${name}`;
  const own = (name) => value(path(name));
  const set = (name, next) => change({ [path(name)]: next });
  useEffect(loadFonts, []);
  const { minimum, maximum, step } = describe(path('font.size'));
  const grow = (by) => set('font.size', Math.min(maximum, Math.max(minimum, Math.round((own('font.size') + by * step) * 1000) / 1000)));
  const bold = own('font.weight') >= BOLD;
  const anchor = own('anchor');
  const side = own('align') ?? (/left|right/.exec(anchor)?.[0] ?? 'center');
  return html`<div class="toolbar caption-tools" role="toolbar" aria-label="Caption" data-control>
    <${Button} kind="quiet" icon="type" label="Type the text" pressed=${typing.value === at} onClick=${() => (typing.value = at)} />
    <${Select} label="Font" options=${families(own('font.family'))} value=${own('font.family')} onChange=${(next) => set('font.family', next)} />
    <div class="caption-size" role="group" aria-label="Size">
      <${Button} kind="quiet" icon="minus" label="Smaller" onClick=${() => grow(-1)} />
      <output>${Math.round(own('font.size') * 1000) / 10} %</output>
      <${Button} kind="quiet" icon="plus" label="Larger" onClick=${() => grow(1)} />
    </div>
    <${Button} kind="quiet" icon="bold" label="Bold" pressed=${bold} onClick=${() => set('font.weight', bold ? REGULAR : BOLD)} />
    <${Button} kind="quiet" icon="italic" label="Italic" pressed=${own('font.italic')} onClick=${() => set('font.italic', !own('font.italic'))} />
    <${Color} path=${path('color')} title="Text color" alpha=${false} />
    <${Segmented} label="Alignment" options=${SIDES} value=${side} onChange=${(next) => set('align', next)} />
    <${Button} kind="quiet" icon="copy" label="Duplicate the caption" onClick=${() => duplicateCaption(at)} />
    <${Button} kind="quiet" icon="trash" label="Remove the caption" onClick=${() => removeCaption(at)} />
    <${Button} kind="quiet" icon="check" label="Done" onClick=${() => chooseCaption(null)} />
  </div>`;
}
