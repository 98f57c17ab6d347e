// The sheet of shortcuts, from the table that the keyboard itself follows.
import { html } from '../html.js';
import { Dialog } from '../components/dialog.js';
import { SHORTCUTS } from '../shortcuts.js';

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function ShortcutsDialog() {
  const groups = Map.groupBy(SHORTCUTS, ({ group }) => group);
  return html`<${Dialog} title="Shortcuts" wide>
    <div class="shortcuts">
      ${[...groups].map(
        ([name, list]) => html`<section key=${name}>
          <h3>${name}</h3>
          <dl>
            ${list.map(
              ({ keys, text }) => html`<div key=${keys}>
                <dt>${text}</dt>
                <dd>${keys.split(' ').map((one) => html`<kbd key=${one}>${mac && one === 'Ctrl' ? '⌘' : one}</kbd>`)}</dd>
              </div>`,
            )}
          </dl>
        </section>`,
      )}
    </div>
  <//>`;
}
