// Templates as cards: whole scenes and store pictures, for the user's screenshots and texts.
import { html, useEffect } from '../html.js';
import { Pictures } from '../components/pictures.js';
import { toast } from '../state/status.js';
import { chosen, settings } from '../state/store.js';
import { loadTemplates, taken, takeTemplate, templates } from '../state/templates.js';

export function TemplatesPanel() {
  useEffect(() => {
    loadTemplates().catch(tell);
  }, []);
  const options = templates.value.map(({ id, title, description, width, height, slices, preview }) => ({
    value: id,
    label: title,
    title: description,
    detail: `${width} × ${height}${slices > 1 ? `, ${slices} pictures` : ''}`,
    src: preview,
  }));
  const take = (id) => {
    chosen.value = null;
    takeTemplate(id).catch(tell);
  };
  return html`<div class="stack">
    <p class="field-hint">A template replaces the devices, their places, the background and the size. Screenshots and the texts of captions stay.</p>
    <${Pictures} label="Templates" shape="whole" columns=${2} options=${options} value=${taken.value?.settings === settings.value ? taken.value.id : undefined} onChange=${take} />
  </div>`;
}

const tell = (error) => toast(error.message, 'error');
