// The frame of the panels: their tabs, and the open one.
import { html } from '../html.js';
import { Icon } from '../components/icon.js';
import { panel, panelOpen } from '../state/ui.js';
import { PANELS } from './index.js';

// The open panel's own tab closes it, which leaves more room for the stage.
function toggle(id) {
  if (id === panel.value && panelOpen.value) panelOpen.value = false;
  else choose(id);
}

function choose(id) {
  panel.value = id;
  panelOpen.value = true;
}

export function Panels() {
  const open = PANELS.find(({ id }) => id === panel.value) ?? PANELS[0];
  const move = (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = PANELS[(PANELS.indexOf(open) + by + PANELS.length) % PANELS.length];
    choose(next.id);
    document.getElementById(`tab-${next.id}`).focus();
  };
  return html`<aside class="panels ${panelOpen.value ? '' : 'panels-closed'}" aria-label="Panels">
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown=${move}>
      ${PANELS.map(
        ({ id, label, icon }) => html`<button
          key=${id}
          type="button"
          role="tab"
          class="tab"
          id="tab-${id}"
          aria-selected=${String(id === open.id && panelOpen.value)}
          aria-controls="panel"
          tabindex=${id === open.id ? 0 : -1}
          onClick=${() => toggle(id)}
        >
          <${Icon} name=${icon} size=${20} /><span>${label}</span>
        </button>`,
      )}
    </div>
    <section class="panel" hidden=${!panelOpen.value} id="panel" role="tabpanel" aria-labelledby="tab-${open.id}">
      <h2 class="panel-title">${open.title ?? open.label}</h2>
      <div class="panel-body" key=${open.id}><${open.Panel} /></div>
    </section>
  </aside>`;
}
