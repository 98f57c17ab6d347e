// The server's description of each setting: kind, range, unit, default, text, and its group.
import { signal } from '../html.js';
import { getJSON } from '../server/api.js';

/** `{groups, settings, members}` of `GET /api/v1/settings`, each a list in the order of a form; null until it is loaded. */
export const form = signal(null);
// A member of a scene's devices, which are no settings.
const DEPTH = { path: 'depth', title: 'Towards the viewer', description: 'how much nearer than the layout puts it', kind: 'number', default: 0, minimum: -2000, maximum: 2000, step: 1, unit: 'mm' };
const byPath = new Map([[DEPTH.path, DEPTH]]);

export async function loadSchema() {
  const found = await getJSON('/api/v1/settings');
  for (const setting of [...found.settings, ...found.members]) {
    for (const one of [setting, ...(setting.described ?? [])]) byPath.set(one.path, one);
  }
  form.value = found;
}

/** The declaration of a setting or of a member of one, `captions[0].y`: `{path, title, kind, default, minimum, maximum}`; undefined for none. */
export function describe(path) {
  // Computed values that use a declaration depend on the form, too.
  void form.value;
  const found = byPath.get(path);
  if (found || !path.includes('[')) return found;
  const item = byPath.get(path.replace(/\[\d+\]/g, '[]'));
  return item && { ...item, path };
}

/** The default of a setting; undefined if it has none. */
export function fallback(path) {
  return describe(path)?.default ?? undefined;
}
