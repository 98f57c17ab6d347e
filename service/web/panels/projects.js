// Projects: opened, saved, replaced and removed.
import { html, useEffect, useId, useState } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { loadProjects, projects, removeProject, saveProject } from '../server/projects.js';
import { key } from '../state/key.js';
import { same } from '../state/paths.js';
import { present } from '../state/picture.js';
import { toast } from '../state/status.js';
import { devices, replaceSettings } from '../state/store.js';
import { dialog } from '../state/ui.js';

export function ProjectsPanel() {
  const id = useId();
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(null); // the project that is about to be removed
  const attempt = async (action, done) => {
    setBusy(true);
    try {
      await action();
      setFault('');
      if (done) toast(done, 'success');
    } catch (error) {
      setFault(error.details?.[0]?.message ?? error.message);
    }
    setBusy(false);
  };
  useEffect(() => {
    if (key.value) attempt(loadProjects);
  }, [key.value]);
  if (!key.value) return html`<p class="soft">Projects are kept by the server. <${Button} small onClick=${() => (dialog.value = 'key')}>Enter a key<//></p>`;
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const name = new FormData(form).get('name').trim();
    attempt(async () => {
      await saveProject(name, present.peek().settings);
      form.reset();
    }, `${name} saved`);
  };
  const open = (project) => {
    replaceSettings(project.settings);
    toast(`${project.name} opened`, 'success');
  };
  const replace = (project) => attempt(() => saveProject(project.name, present.peek().settings, project.id), `${project.name} replaced`);
  const remove = (project) => attempt(() => removeProject(project.id), `${project.name} removed`);
  return html`<div class="stack">
    <form class="field" onSubmit=${submit}>
      <div class="field-head"><label class="field-label" for=${id}>Save the settings as a project</label></div>
      <div class="row row-tight">
        <input class="input" id=${id} name="name" required maxlength="100" placeholder="Name" autocomplete="off"
          aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? `${id}-fault` : undefined} />
        <${Button} type="submit" icon="plus">Save<//>
      </div>
      ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
    </form>
    ${devices.value.length > 0 && html`<p class="soft">A project has the settings of a scene. Its devices are in the page's address; keep that as well.</p>`}
    ${projects.value?.length === 0 && html`<p class="soft">No projects yet. A request can name one by its id, <code>projectId</code>, and override what it likes.</p>`}
    ${projects.value?.length > 0 &&
    html`<ul class="list" aria-label="Projects">
      ${projects.value.map((project) => html`<li key=${project.id} class="list-row">
        ${leaving === project.id
          ? html`<span class="list-name">Remove ${project.name}?</span>
            <${Button} small kind="danger" onClick=${() => (setLeaving(null), remove(project))}>Remove<//>
            <${Button} small onClick=${() => setLeaving(null)}>Keep<//>`
          : html`<button type="button" class="list-open" onClick=${() => open(project)}>
              <${Icon} name=${same(project.settings, present.value.settings) ? 'check' : 'projects'} size=${16} />
              <span class="list-text">
                <span class="list-name"><span class="visually-hidden">Open </span>${project.name}</span>
                <span class="list-date">${new Date(project.updatedAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}</span>
              </span>
            </button>
            <${Button} kind="quiet" small icon="save" label="Replace ${project.name} by the present settings" disabled=${busy} onClick=${() => replace(project)} />
            <${Button} kind="quiet" small icon="trash" label="Remove ${project.name}" disabled=${busy} onClick=${() => setLeaving(project.id)} />`}
      </li>`)}
    </ul>`}
  </div>`;
}
