// Whole looks: the server's, and one's own, which are kept in this browser.
import { signal } from '../html.js';
import { newId } from '../browser/identifier.js';
import { read, write } from '../browser/preferences.js';
import { getJSON } from '../server/api.js';
import { replaceSettings, settings } from './store.js';

// What a look decides; the rest is the device's, the screenshot's and the file's.
const GROUPS = ['canvas', 'appearance', 'deviceTransform', 'shadow', 'reflection', 'postProcessing'];
const DEVICES = ['deviceColor', 'theme']; // of `appearance`

/** The server's looks: `{id, name, description, preview, settings}`; loaded when they are first shown. */
export const looks = signal([]);
/** One's own: `{id, name, settings}`, the newest first. */
export const ownLooks = signal(stored());

export async function loadLooks() {
  if (!looks.peek().length) looks.value = (await getJSON('/api/v1/looks')).looks;
}

/** Settings with everything that a look decides replaced by it. */
export function dressed(all, look) {
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => !GROUPS.includes(name)));
  const own = Object.fromEntries(Object.entries(all.appearance ?? {}).filter(([name]) => DEVICES.includes(name)));
  const appearance = { ...own, ...look.settings.appearance };
  return { ...kept, ...look.settings, ...(Object.keys(appearance).length ? { appearance } : {}) };
}

export function takeLook(look) {
  replaceSettings(dressed(settings.peek(), look));
}

/** Keeps the present look under a name. */
export function keepLook(name) {
  const { appearance = {}, ...all } = settings.peek();
  const own = Object.fromEntries(Object.entries(all).filter(([group]) => GROUPS.includes(group)));
  const colors = Object.fromEntries(Object.entries(appearance).filter(([one]) => !DEVICES.includes(one)));
  const look = { id: newId(), name, settings: Object.keys(colors).length ? { ...own, appearance: colors } : own };
  store([look, ...ownLooks.peek()]);
}

export function forgetLook(id) {
  store(ownLooks.peek().filter((look) => look.id !== id));
}

function store(list) {
  ownLooks.value = list;
  write('looks', JSON.stringify(list));
}

function stored() {
  try {
    const list = JSON.parse(read('looks') ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
