// A choice among many, as pictures to click; arrow keys move within them, and only the chosen one is a tab stop.
import { html, useRef } from '../html.js';
import { Thumbnail } from './thumbnail.js';

/**
 * `options` are `{value, label, title?, detail?}` with the address of a picture, `src`, or what to show instead, `picture`;
 * `shape` is `square`, `wide`, `whole`, `flat` or `bare`. With `many`, the pictures scroll within a box of their own.
 */
export function Pictures({ label, options, value, onChange, shape = 'square', columns = 3, many = false, describedBy }) {
  const group = useRef(null);
  const chosen = Math.max(0, options.findIndex((option) => option.value === value));
  const step = (event) => {
    const tiles = [...group.current.children];
    const row = tiles.filter((tile) => tile.offsetTop === tiles[0].offsetTop).length;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    const at = tiles.indexOf(document.activeElement);
    if (!by || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    tiles[at + by]?.focus();
  };
  return html`<div class="pictures ${many ? 'pictures-many' : ''}" role="radiogroup" aria-label=${label} aria-describedby=${describedBy} ref=${group}
    style=${{ '--columns': columns }} onKeyDown=${step}>
    ${options.map(
      (option, at) => html`<button
        key=${option.value}
        type="button"
        role="radio"
        class="tile"
        title=${option.title ?? option.label}
        aria-checked=${String(option.value === value)}
        tabindex=${at === chosen ? 0 : -1}
        onClick=${() => onChange(option.value)}
      >
        <span class="tile-picture tile-${shape}">
          ${option.src ? html`<${Thumbnail} src=${option.src} />` : option.picture}
        </span>
        <span class="tile-label">${option.label}</span>
        ${option.detail && html`<span class="tile-detail">${option.detail}</span>`}
      </button>`,
    )}
  </div>`;
}
