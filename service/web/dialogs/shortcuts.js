// The sheet of shortcuts, from the table that the keyboard itself follows.
import { html } from '../html.js';
import { Dialog } from '../components/dialog.js';
import { Field } from '../components/field.js';
import { Switch } from '../components/switch.js';
import { SHORTCUTS } from '../shortcuts.js';
import { singleKeys } from '../state/ui.js';

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function ShortcutsDialog() {
  const groups = Map.groupBy(SHORTCUTS, ({ group }) => group);
  return html`<${Dialog} title="Shortcuts" wide>
    <${Field} label="Shortcuts of a single key" hint="Turn them off if they are pressed by mistake, as when you dictate." inline>
      ${(control) => html`<${Switch} ...${control} checked=${singleKeys.value} onChange=${(on) => (singleKeys.value = on)} />`}
    <//>
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
