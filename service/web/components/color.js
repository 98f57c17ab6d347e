// A colour: the browser's picker, its hex, and how opaque it is where it may be translucent.
import { html } from '../html.js';
import { HEX, joined, parts } from '../state/color.js';
import { change, value } from '../state/store.js';
import { useDraft } from './draft.js';

/** A compact colour for lists: the browser's picker, and how opaque the colour is. */
export function Swatch({ color, title, onChange }) {
  const now = parts(color);
  return html`<span class="color-well color-well-small" style=${{ '--color': joined(now.rgb, now.alpha) }}>
    <input type="color" value=${now.rgb} aria-label="${title}: color" onInput=${(event) => onChange(joined(event.target.value, now.alpha || 1))} />
  </span>`;
}

/** `shown` is the colour to show for no value or for a name; `keywords` such as `transparent` are buttons. */
export function Color({ path, id, describedBy, invalid, title, alpha = true, keywords = [], shown }) {
  const text = value(path) ?? '';
  const now = parts(HEX.test(text) ? text : (shown ?? text));
  const set = (next) => change({ [path]: next });
  const type = (event) => {
    const typed = event.target.value.trim();
    set(HEX.test(typed) ? `#${typed.replace('#', '').toUpperCase()}` : typed || undefined);
  };
  const typed = useDraft(text, type);
  const opacity = Math.round(now.alpha * 100);
  // The server may know a name that the page does not; opaque colours are not shown as translucent.
  const well = !HEX.test(text) && !shown && CSS.supports('color', text) ? text : joined(now.rgb, alpha ? now.alpha : 1);
  return html`<div class="color">
    <span class="color-well" style=${{ '--color': well }}>
      <input type="color" value=${now.rgb} aria-label="${title}: picker"
        onInput=${(event) => set(joined(event.target.value, now.alpha || 1))} />
    </span>
    <input class="input color-text" id=${id} spellcheck=${false} autocomplete="off" placeholder=${shown ?? 'Default'}
      aria-label=${title} aria-describedby=${describedBy} aria-invalid=${invalid} ...${typed} />
    ${alpha &&
    html`<span class="number color-alpha">
      <input class="number-input" type="number" min="0" max="100" step="1" value=${opacity} aria-label="${title}: opacity in percent"
        onInput=${(event) => event.target.value !== '' && set(joined(now.rgb, Math.min(100, Math.max(0, event.target.value)) / 100))} />
      <span class="number-unit">%</span>
    </span>`}
    ${keywords.map(
      (word) => html`<button key=${word} type="button" class="chip" aria-pressed=${String(text === word)}
        onClick=${() => set(text === word ? undefined : word)}>${word}</button>`,
    )}
  </div>`;
}
