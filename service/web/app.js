// The page's parts: top bar, stage, panels, and whatever lies over them.
import { html } from './html.js';
import { Toasts } from './components/toasts.js';
import { DIALOGS } from './dialogs/index.js';
import { Panels } from './panels/panels.js';
import { Stage } from './stage/stage.js';
import { status } from './state/status.js';
import { dialog } from './state/ui.js';
import { TopBar } from './topbar/topbar.js';

export function App() {
  const Open = DIALOGS[dialog.value];
  return html`<div class="app" data-status=${status.value.kind}>
    <${TopBar} />
    <${Stage} />
    <${Panels} />
    <${Toasts} />
    ${Open && html`<${Open} key=${dialog.value} />`}
  </div>`;
}
