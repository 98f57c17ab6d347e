// The locales of a set as tabs over the stage: the picture is that of the chosen one.
import { html, useRef } from '../html.js';
import { showLocale } from '../state/set.js';
import { set } from '../state/store.js';

export function Locales() {
  const list = useRef(null);
  const { locales, locale: shown } = set.value;
  if (locales.length < 2) return null;
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (locales.indexOf(shown) + by + locales.length) % locales.length;
    showLocale(locales[at]);
    list.current.children[at].focus();
  };
  return html`<div class="locales" role="tablist" aria-label="Locales" data-control ref=${list} onKeyDown=${step}>
    ${locales.map((locale) => html`<button key=${locale} type="button" role="tab" class="locale" aria-selected=${String(locale === shown)}
      tabindex=${locale === shown ? 0 : -1} onClick=${() => showLocale(locale)}>${locale}</button>`)}
  </div>`;
}
