// The address's fragment: `#settings=<base64url of JSON>`, or `#scene=…` with `{devices, settings, set, film}`. It
// never has screenshots, and never the key: if an address has one (`#key=…`), it is removed from there, and offered to
// the user.
import { effect } from '../html.js';
import { offerKey } from './key.js';
import { isObject, same } from './paths.js';
import { hasSet, setIn } from './set.js';
import { devices, film, replaceRequest, set, settings, START } from './store.js';

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

/** `{settings, devices}` of the present address, or null; takes a key out of it first. */
export function readFragment() {
  const found = new URLSearchParams(location.hash.slice(1));
  const key = found.get('key');
  if (key) {
    offerKey(key);
    found.delete('key');
    write(found.toString());
  }
  const all = decode(found.get('settings') ?? '');
  return all ? { settings: all } : sceneIn(decode(found.get('scene') ?? ''));
}

function sceneIn(found) {
  const list = Array.isArray(found?.devices) && found.devices.every(isObject) ? found.devices : [];
  const of = setIn(found?.set, found?.settings?.language);
  const motion = isObject(found?.film) ? found.film : null;
  if (!list.length && !of && !motion) return null;
  return { settings: isObject(found.settings) ? found.settings : {}, devices: list, ...(of && { set: of }), ...(motion && { film: motion }) };
}

const withoutFiles = ({ locales, screens, sizes, screen }) => ({ locales, screens: screens.map(({ name, captions }) => ({ name, captions })), sizes, screen });

/** Keeps the address and the edited state in sync, in both directions. */
export function followFragment() {
  let timer = 0;
  let own = location.hash;
  effect(() => {
    const [all, list, of, motion] = [settings.value, devices.value, set.value, film.value];
    const moves = Object.keys(motion).length > 0;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (list.length || hasSet(of) || moves) write(`scene=${encode({ devices: list, settings: all, ...(hasSet(of) && { set: withoutFiles(of) }), ...(moves && { film: motion }) })}`);
      else write(same(all, START) ? '' : `settings=${encode(all)}`);
      own = location.hash;
    }, DELAY_MS);
  });
  addEventListener('hashchange', () => {
    if (location.hash === own) return;
    const found = readFragment();
    own = location.hash;
    if (found) replaceRequest(found);
  });
}

function write(text) {
  const { pathname, search } = location;
  history.replaceState(null, '', `${pathname}${search}${text ? `#${text}` : ''}`);
}
