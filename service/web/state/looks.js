// Whole looks: the server's, and the user's, which are kept in this browser.
import { signal } from '../html.js';
import { newId } from '../browser/identifier.js';
import { read, write } from '../browser/preferences.js';
import { getJSON } from '../server/api.js';
import { present } from './picture.js';
import { replaceSettings, settings } from './store.js';

// The settings that a look decides; canvas, device, screenshot and file stay as chosen.
const GROUPS = ['appearance', 'deviceTransform', 'shadow', 'ground', 'reflection', 'postProcessing'];
const DEVICES = ['deviceColor', 'theme']; // members of `appearance` that a look leaves as they are

/** The server's looks: `{id, name, description, preview, settings}`; loaded when they are first shown. */
export const looks = signal([]);
/** One's own: `{id, name, settings}`, the newest first. */
export const ownLooks = signal(stored());

export async function loadLooks() {
  if (!looks.peek().length) looks.value = (await getJSON('/api/v1/looks')).looks;
}

/** Settings in which a look replaces all members that looks decide. */
export function dressed(all, look) {
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => !GROUPS.includes(name)));
  const own = Object.fromEntries(Object.entries(all.appearance ?? {}).filter(([name]) => DEVICES.includes(name)));
  const { appearance, ...decided } = lookOf(look.settings);
  const joined = { ...own, ...appearance };
  return { ...kept, ...decided, ...(Object.keys(joined).length ? { appearance: joined } : {}) };
}

export function takeLook(look) {
  replaceSettings(dressed(settings.peek(), look));
}

/** Keeps the present look under a name. */
export function keepLook(name) {
  const look = { id: newId(), name, settings: lookOf(present.peek().settings) };
  store([look, ...ownLooks.peek()]);
}

// The part of settings that is a look.
function lookOf({ appearance = {}, ...all }) {
  const decided = Object.fromEntries(Object.entries(all).filter(([name]) => GROUPS.includes(name)));
  const colors = Object.fromEntries(Object.entries(appearance).filter(([name]) => !DEVICES.includes(name)));
  return Object.keys(colors).length ? { ...decided, appearance: colors } : decided;
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
