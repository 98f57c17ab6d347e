// Buttons: with a text, or an icon whose label is its name and its tooltip.
import { html } from '../html.js';
import { Icon } from './icon.js';

/**
 * `kind` is `plain`, `primary`, `quiet` or `danger`; `keys` a shortcut to show, such as `Ctrl Z`; `pressed` makes it a
 * toggle. Anything else is passed on to the element.
 */
export function Button({ icon, label, kind = 'plain', keys, pressed, small, children, class: extra = '', ...rest }) {
  const only = !children;
  const tip = only ? [label, keys && `(${keys})`].filter(Boolean).join(' ') : undefined;
  return html`<button
    type="button"
    class="button button-${kind} ${only ? 'button-icon' : ''} ${small ? 'button-small' : ''} ${extra}"
    aria-label=${only || label ? label : undefined}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)}
    aria-keyshortcuts=${keys?.replaceAll('Ctrl ', 'Control+').replaceAll('Shift ', 'Shift+')}
    data-tip=${tip}
    ...${rest}
  >
    ${icon && html`<${Icon} name=${icon} />`}${children && html`<span>${children}</span>`}
  </button>`;
}
