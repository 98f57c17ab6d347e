// The address's fragment: `#settings=<base64url of JSON>`. Never the screenshot, and never the key, which is
// erased if an address carries one (`#key=…`), and offered.
import { effect } from '../html.js';
import { offerKey } from './key.js';
import { isObject, same } from './paths.js';
import { replaceSettings, settings, START } from './store.js';

const DELAY_MS = 250;

export function encode(object) {
  const bytes = new TextEncoder().encode(JSON.stringify(object));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The object in a text made by `encode`, or null. */
export function decode(text) {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const object = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    return isObject(object) ? object : null;
  } catch {
    return null;
  }
}

/** Settings of the present address, or null; takes a key out of it first. */
export function readFragment() {
  const found = new URLSearchParams(location.hash.slice(1));
  const key = found.get('key');
  if (key) {
    offerKey(key);
    found.delete('key');
    write(found.get('settings'));
  }
  return decode(found.get('settings') ?? '');
}

/** Keeps the address up to date with the settings, and the settings with the address. */
export function followFragment() {
  let timer = 0;
  let own = location.hash;
  effect(() => {
    const all = settings.value;
    clearTimeout(timer);
    timer = setTimeout(() => {
      write(same(all, START) ? '' : encode(all));
      own = location.hash;
    }, DELAY_MS);
  });
  addEventListener('hashchange', () => {
    if (location.hash === own) return;
    const found = readFragment();
    own = location.hash;
    if (found) replaceSettings(found);
  });
}

function write(text) {
  const { pathname, search } = location;
  history.replaceState(null, '', `${pathname}${search}${text ? `#settings=${text}` : ''}`);
}
