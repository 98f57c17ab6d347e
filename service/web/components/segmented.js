// A choice among few, as one row of buttons; arrow keys move within it.
import { html, useRef } from '../html.js';
import { Icon } from './icon.js';

/** `options` are `{value, label, icon?}`. */
export function Segmented({ label, options, value, onChange }) {
  const group = useRef(null);
  const chosen = Math.max(0, options.findIndex((option) => option.value === value)); // the only tab stop
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const at = options.findIndex((option) => option.value === value);
    const next = (at + by + options.length) % options.length;
    onChange(options[next].value);
    group.current.children[next].focus();
  };
  return html`<div class="segmented" role="radiogroup" aria-label=${label} ref=${group} onKeyDown=${step}>
    ${options.map(
      (option, at) => html`<button
        key=${option.value}
        type="button"
        role="radio"
        class="segment"
        aria-checked=${String(option.value === value)}
        aria-label=${option.label}
        tabindex=${at === chosen ? 0 : -1}
        onClick=${() => onChange(option.value)}
      >
        ${option.icon && html`<${Icon} name=${option.icon} />`}<span>${option.label}</span>
      </button>`,
    )}
  </div>`;
}
