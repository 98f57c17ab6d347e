// The top bar: undo, the page's own settings, and the export of the picture.
import { html } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { ThemeButton } from '../components/theme.js';
import { canRedo, canUndo, redo, undo } from '../state/store.js';
import { dialog } from '../state/ui.js';
import { Export } from './export.js';

export function TopBar() {
  return html`<header class="topbar">
    <h1 class="brand"><${Mark} /><span>Mockup</span></h1>
    <div class="topbar-group" role="group" aria-label="History">
      <${Button} kind="quiet" icon="undo" label="Undo" keys="Ctrl Z" disabled=${!canUndo.value} onClick=${undo} />
      <${Button} kind="quiet" icon="redo" label="Redo" keys="Ctrl Shift Z" disabled=${!canRedo.value} onClick=${redo} />
    </div>
    <div class="topbar-space" />
    <div class="topbar-group">
      <a class="button button-quiet button-icon topbar-docs" href="/docs" aria-label="API reference" data-tip="API reference"><${Icon} name="book" /></a>
      <${Button} kind="quiet" icon="keyboard" label="Shortcuts" keys="?" class="topbar-keys" onClick=${() => (dialog.value = 'shortcuts')} />
      <${Button} kind="quiet" icon="key" label="API key" onClick=${() => (dialog.value = 'key')} />
      <${ThemeButton} />
    </div>
    <${Export} />
  </header>`;
}

function Mark() {
  const address = new URL('../icon.svg', import.meta.url).pathname;
  return html`<img class="brand-mark" src=${address} width="24" height="24" alt="" />`;
}

