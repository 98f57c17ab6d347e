// Projects: opened, saved, renamed, replaced and removed.
import { html, useEffect, useId, useRef, useState } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { loadProjects, projects, removeProject, renameProject, saveProject } from '../server/projects.js';
import { isPresent, openDocument, present } from '../state/document.js';
import { key } from '../state/key.js';
import { toast } from '../state/status.js';
import { dialog } from '../state/ui.js';

export function ProjectsPanel() {
  const id = useId();
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
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
      await saveProject(name, present.peek());
      form.reset();
    }, `${name} saved`);
  };
  const open = (project) => {
    openDocument(project);
    toast(`${project.name} opened`, 'success');
  };
  const replace = (project) => attempt(() => saveProject(project.name, present.peek(), project.id), `${project.name} replaced`);
  const rename = (project, next) => attempt(() => renameProject(project.id, next), `${project.name} is ${next} now`);
  const remove = (project) => attempt(() => removeProject(project.id), `${project.name} removed`);
  return html`<div class="stack">
    <form class="field" onSubmit=${submit}>
      <div class="field-head"><label class="field-label" for=${id}>Save as a project</label></div>
      <div class="row row-tight">
        <input class="input" id=${id} name="name" required maxlength="200" placeholder="Name" autocomplete="off"
          aria-invalid=${fault ? 'true' : undefined} aria-describedby="${id}-hint${fault ? ` ${id}-fault` : ''}" />
        <${Button} type="submit" icon="plus" disabled=${busy}>Save<//>
      </div>
      ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
      <p class="field-hint" id="${id}-hint">Settings, devices, captions, the set and the film. Screenshots and recordings stay in this browser, and hidden layers are left out.</p>
    </form>
    ${projects.value?.length === 0 && html`<p class="soft">No projects yet. A request can name one by its id, <code>projectId</code>, and override what it likes.</p>`}
    ${projects.value?.length > 0 &&
    html`<ul class="list" aria-label="Projects">
      ${projects.value.map((project) => html`<${Project} key=${project.id} project=${project} busy=${busy}
        onOpen=${() => open(project)} onReplace=${() => replace(project)} onRename=${(next) => rename(project, next)} onRemove=${() => remove(project)} />`)}
    </ul>`}
  </div>`;
}

// A row; a question about the project takes its place.
function Project({ project, busy, onOpen, onReplace, onRename, onRemove }) {
  const [asked, setAsked] = useState(null); // `rename` or `remove`
  const row = useRef(null);
  const returns = useRef(false); // whether the focus has to return to the row
  const done = () => {
    returns.current = true;
    setAsked(null);
  };
  useEffect(() => {
    if (asked === null && returns.current) row.current?.querySelector('.list-open')?.focus();
    returns.current = false;
  }, [asked]);
  if (asked === 'remove') {
    return html`<li class="list-row"><span class="list-name">Remove ${project.name}?</span>
      <${Button} small kind="danger" onClick=${() => (done(), onRemove())}>Remove<//>
      <${Button} small onClick=${done}>Keep<//>
    </li>`;
  }
  if (asked === 'rename') {
    const submit = (event) => {
      event.preventDefault();
      const next = new FormData(event.target).get('name').trim();
      done();
      if (next && next !== project.name) onRename(next);
    };
    return html`<li><form class="list-row" onSubmit=${submit} onKeyDown=${(event) => event.key === 'Escape' && (event.stopPropagation(), done())}>
      <input class="input" name="name" aria-label="New name of ${project.name}" required maxlength="200" autocomplete="off" defaultValue=${project.name} ref=${focused} />
      <${Button} small type="submit">Rename<//>
      <${Button} small onClick=${done}>Cancel<//>
    </form></li>`;
  }
  const date = new Date(project.updatedAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const parts = kinds(project).join(' · ');
  return html`<li class="list-row project" ref=${row}>
    <button type="button" class="list-open" onClick=${onOpen}>
      <${Icon} name=${isPresent(project) ? 'check' : 'projects'} size=${16} />
      <span class="list-text">
        <span class="list-name"><span class="visually-hidden">Open </span>${project.name}</span>
        ${parts && html`<span class="list-date">${parts}</span>`}
        <span class="list-date">${date}</span>
      </span>
    </button>
    <${Button} kind="quiet" small icon="rename" label="Rename ${project.name}" disabled=${busy} onClick=${() => setAsked('rename')} />
    <${Button} kind="quiet" small icon="save" label="Replace ${project.name} by what is shown" disabled=${busy} onClick=${onReplace} />
    <${Button} kind="quiet" small icon="trash" label="Remove ${project.name}" disabled=${busy} onClick=${() => setAsked('remove')} />
  </li>`;
}

// A no-break space keeps a number on the same line as its noun.
const kinds = ({ devices = [], set: of, film }) => [
  ...(devices.length > 1 ? [`${devices.length}\u00a0devices`] : []),
  ...(of?.locales?.length > 1 ? [`${of.locales.length}\u00a0locales`] : []),
  ...(of?.screens?.length > 1 ? [`${of.screens.length}\u00a0screens`] : []),
  ...(film ? ['film'] : []),
];

// The whole name is selected, to be typed over.
function focused(input) {
  input?.focus();
  input?.select();
}
