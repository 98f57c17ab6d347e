// The whole document, as a project has it: settings, the devices of a scene, the set and the film. It has no screenshots, no
// recording and nothing that is hidden.
import { batch, computed } from '../html.js';
import { isObject, put, same } from './paths.js';
import { drawn } from './scene.js';
import { hasSet, setIn, showScreen, whole } from './set.js';
import { begin, commit, devices, film, NO_SET, replaceRequest, set, settings } from './store.js';

/** The present document, `{settings, devices, set, film}`, without empty parts. */
export const present = computed(() => documentOf({ settings: settings.value, devices: devices.value, set: set.value.screens.length ? whole.value : set.value, film: film.value }));

function documentOf({ settings: all, devices: list, set: of, film: motion }) {
  const captions = (all.captions ?? []).flatMap((one, place) => captionOf(one, of.screens.map(({ captions: texts }) => worded(texts[place]))));
  const { settings: shown, devices: listed } = drawn({ settings: put(all, 'captions', undefined), devices: list, screenshots: [] });
  const screens = of.screens.map(({ name }, at) => ({ name, captions: captions.map(({ texts }) => texts[at]) }));
  return {
    settings: captions.length ? { ...shown, captions: captions.map(({ one }) => one) } : shown,
    ...(listed.length && { devices: listed }),
    ...(hasSet(of) && { set: { locales: of.locales, screens, sizes: of.sizes } }),
    ...(Object.keys(motion).length && { film: motion }),
  };
}

// A caption that is empty on the shown screen takes its text from another screen.
function captionOf({ hidden, ...one }, texts) {
  const text = worded(one.text) || texts.find(Boolean);
  return hidden || !text ? [] : [{ one: { ...one, text }, texts }];
}

// A text in the languages in which it is not empty.
function worded(text = '') {
  if (!isObject(text)) return text;
  const kept = Object.entries(text).filter(([, own]) => own);
  return kept.length ? Object.fromEntries(kept) : '';
}

/** Whether a project equals the present document. */
export const isPresent = (project) => same(partsOf(project), partsOf(JSON.parse(JSON.stringify(present.value))));

const partsOf = ({ settings: all, devices: list = [], set: of = {}, film: motion = {} }) => ({ all, list, of, motion });

/**
 * Opens a project in place of the present document, as one step. Screenshots stay, on the device at the same place or the
 * screen of the same name.
 */
export function openDocument({ settings: all, devices: list = [], set: saved, film: motion = {} }) {
  const found = setIn(saved, all.language);
  const before = whole.peek().screens;
  const screens = found?.screens.map((one) => ({ ...one, ...shotsOf(before.find(({ name }) => name === one.name)) }));
  batch(() => {
    begin();
    replaceRequest({ settings: all, devices: list, set: found ? { ...found, screens } : NO_SET, film: motion });
    if (screens?.length) showScreen(0, set.peek());
    commit();
  });
}

const shotsOf = ({ screenshots = [], localized } = {}) => ({ screenshots, ...(localized && { localized }) });
