// Templates: whole scenes and store pictures. The user's screenshots and captions' texts are kept, in their order.
import { signal } from '../html.js';
import { getJSON } from '../server/api.js';
import { replaceParts, screenshots, settings } from './store.js';

/** The server's templates: `{id, title, description, width, height, preview}`; loaded when they are first shown. */
export const templates = signal([]);

/** `{id, settings}` of the last that was taken, to tell whether the picture is still that. */
export const taken = signal(null);

export async function loadTemplates() {
  if (!templates.peek().length) templates.value = (await getJSON('/api/v1/templates')).templates;
}

/** Replaces the picture by that of a template. */
export async function takeTemplate(id) {
  const found = await getJSON(`/api/v1/templates/${id}`);
  const all = worded(found.settings, settings.peek().captions);
  const places = Math.max(1, found.devices.length);
  replaceParts({ settings: all, devices: found.devices, screenshots: Array.from({ length: places }, (_, at) => screenshots.peek()[at] ?? null) });
  taken.value = { id, settings: settings.peek() };
}

/** A template's settings, in which the first captions get the texts of the present ones. */
export function worded(all, own = []) {
  if (!all.captions || !own.length) return all;
  return { ...all, captions: all.captions.map((one, at) => (own[at] ? { ...one, text: own[at].text } : one)) };
}
