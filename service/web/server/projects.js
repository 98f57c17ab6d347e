// Projects: whole documents saved under a name on the server, by the key's owner.
import { getJSON, send } from './api.js';
import { effect, signal } from '../html.js';
import { key } from '../state/key.js';

/** `{id, name, settings, devices, set, film, createdAt, updatedAt}`, the newest first; null until they are loaded. */
export const projects = signal(null);

// A different key may belong to another user.
effect(() => {
  void key.value;
  projects.value = null;
});

export async function loadProjects() {
  const asked = key.peek();
  const found = [];
  for (let after = ''; after !== null; ) {
    const page = await getJSON(`/api/v1/projects${after && `?after=${encodeURIComponent(after)}`}`);
    found.push(...page.projects);
    after = page.next;
  }
  if (asked === key.peek()) projects.value = found.reverse();
}

/** Saves a document under a name, as a new project, or in the place of the one with `id`. */
export async function saveProject(name, document, id) {
  const json = { name, ...document };
  const response = id ? await send('PUT', `/api/v1/projects/${id}`, { json }) : await send('POST', '/api/v1/projects', { json });
  const saved = await response.json();
  projects.value = [saved, ...(projects.peek() ?? []).filter((project) => project.id !== saved.id)];
}

export async function renameProject(id, name) {
  const renamed = await (await send('PATCH', `/api/v1/projects/${id}`, { json: { name } })).json();
  projects.value = projects.peek().map((project) => (project.id === id ? renamed : project));
}

export async function removeProject(id) {
  await send('DELETE', `/api/v1/projects/${id}`);
  projects.value = projects.peek().filter((project) => project.id !== id);
}
