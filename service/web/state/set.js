// A store set: screens, each with its screenshots and texts, in locales and sizes. The screen that is shown is edited as any
// picture is; its edits go back into the set when another screen is shown.
import { computed } from '../html.js';
import { languageOf } from './captions.js';
import { onDevice } from './finish.js';
import { isObject, put } from './paths.js';
import { drawn, moved } from './scene.js';
import { devices, NO_SET, replaceParts, screenshots, set, settings } from './store.js';

const NAME = /^[\w.-]{1,64}$/;
// The paths at which upload tools look for pictures, as in `mockup set`.
const LAYOUTS = {
  deliver: '{locale}/{number}_{screen}_{size}.png',
  supply: 'metadata/android/{locale}/images/{folder}/{number}_{screen}.png',
  flat: '{locale}_{size}_{number}_{screen}.png',
};
const FOLDERS = { 'play-phone': 'phoneScreenshots', 'play-phone-landscape': 'phoneScreenshots', 'play-tablet-7': 'sevenInchScreenshots', 'play-tablet-10': 'tenInchScreenshots' };
const LARGE_TABLETS = ['app-store-ipad-13', 'app-store-ipad-13-landscape'];
const MARK = 'IPAD_PRO_3GEN_129';

/** The set, including the edits to the screen on view. */
export const whole = computed(() => stored(set.value, { settings: settings.value, screenshots: screenshots.value }));

function stored(of, { settings: all, screenshots: shots }) {
  const captions = (all.captions ?? []).map(({ text }) => text);
  if (!of.screens.length) return { ...of, screens: [{ name: 'home', captions, screenshots: shots }] };
  const now = withShots(of.screens[of.screen], shots, of.locale === of.locales[0] ? undefined : of.locale);
  return { ...of, screens: of.screens.with(of.screen, { ...now, captions }) };
}

// A screen with its screenshots in a locale replaced. An undefined `locale` is the first, whose screenshots are used by
// all locales that have none of their own.
function withShots(screen, shots, locale) {
  if (locale === undefined) return { ...screen, screenshots: shots };
  const own = shots.map((one, place) => (one && one.id !== screen.screenshots[place]?.id ? one : null));
  return localized(screen, { ...screen.localized, [locale]: own.some(Boolean) ? own : undefined });
}

function localized({ localized: _, ...screen }, byLocale) {
  const kept = Object.entries(byLocale ?? {}).filter(([, own]) => own);
  return kept.length ? { ...screen, localized: Object.fromEntries(kept) } : screen;
}

/** The screenshots of `count` devices that a screen shows in a locale: its own, or those of the first locale. */
function shotsIn({ screenshots: usual, localized: byLocale }, locale, count) {
  return Array.from({ length: Math.max(1, count) }, (_, place) => byLocale?.[locale]?.[place] ?? usual[place] ?? null);
}

/** The first locale's screenshot of a device, which other locales may replace; undefined if the first is shown. */
export function usualShot(place) {
  const { locales, locale, screens, screen } = set.value;
  return locale === undefined || locale === locales[0] || !screens.length ? undefined : (screens[screen].screenshots[place] ?? null);
}

/** Shows another screen: its screenshots and the texts of its captions. */
export function showScreen(at, of = whole.peek()) {
  const { captions: texts } = of.screens[at];
  const all = settings.peek();
  const captions = all.captions?.map((one, place) => ({ ...one, text: texts[place] ?? '' }));
  const shots = shotsIn(of.screens[at], of.locale, devices.peek().length);
  replaceParts({ set: { ...of, screen: at }, settings: captions ? { ...all, captions } : all, screenshots: shots });
}

/** Adds screens of these screenshots behind the shown one, with its texts, and shows the last. */
export function addScreens(shots) {
  const of = whole.peek();
  const { captions } = of.screens[of.screen];
  const names = of.screens.map(({ name }) => name);
  const more = shots.map((shot) => {
    names.push(unused(nameOf(shot?.name ?? 'screen'), names));
    return { name: names.at(-1), captions, screenshots: [shot] };
  });
  showScreen(of.screens.length + more.length - 1, { ...of, screens: [...of.screens, ...more] });
}

export function removeScreen(at) {
  const of = whole.peek();
  if (of.screens.length < 2) return;
  showScreen(Math.min(at < of.screen ? of.screen - 1 : of.screen, of.screens.length - 2), { ...of, screens: of.screens.toSpliced(at, 1) });
}

export function moveScreen(from, to) {
  const of = whole.peek();
  if (to < 0 || to >= of.screens.length) return;
  const shown = of.screens[of.screen];
  const screens = moved(of.screens, from, to);
  replaceParts({ set: { ...of, screens, screen: screens.indexOf(shown) } });
}

/** Names a screen, which is part of file names; gives the message of a fault, or an empty text. */
export function renameScreen(at, name) {
  const of = whole.peek();
  if (!NAME.test(name)) return 'expected letters, digits, dots, hyphens and underscores';
  if (of.screens.some((one, place) => one.name === name && place !== at)) return 'another screen has this name';
  replaceParts({ set: { ...of, screens: of.screens.with(at, { ...of.screens[at], name }) } });
  return '';
}

/** Adds a locale; gives the message of a fault, or an empty text. */
export function addLocale(text) {
  const locale = text.trim();
  const { locales } = set.peek();
  if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(locale)) return 'expected a language such as de or pt-BR';
  if (locales.includes(locale)) return 'it is there already';
  const of = { ...whole.peek(), locales: [...locales, locale] };
  showIn(of, of.locale ?? of.locales[0]);
  return '';
}

export function removeLocale(locale) {
  const of = whole.peek();
  const locales = of.locales.filter((one) => one !== locale);
  const isFirst = of.locales[0] === locale;
  const screens = of.screens.map((screen) => {
    const rest = { ...screen.localized, [locale]: undefined };
    // The next locale becomes the first, so its own screenshots are those of all locales from now on.
    if (!isFirst || !locales.length) return localized(screen, rest);
    return localized({ ...screen, screenshots: shotsIn(screen, locales[0], screen.screenshots.length) }, { ...rest, [locales[0]]: undefined });
  });
  showIn({ ...of, locales, screens }, of.locale === locale ? locales[0] : of.locale);
}

/** Shows another locale: its texts and screenshots. */
export function showLocale(locale) {
  showIn(whole.peek(), locale);
}

function showIn(of, locale) {
  const shots = shotsIn(of.screens[of.screen], locale, devices.peek().length);
  replaceParts({ set: put(of, 'locale', locale), settings: put(settings.peek(), 'language', locale), screenshots: shots });
}

export function addSize(size) {
  const names = set.peek().sizes.map(({ name }) => name);
  replaceParts({ set: { ...whole.peek(), sizes: [...set.peek().sizes, { ...size, name: unused(size.preset, names) }] } });
}

export function changeSize(at, changes) {
  replaceParts({ set: { ...set.peek(), sizes: set.peek().sizes.with(at, { ...set.peek().sizes[at], ...changes }) } });
}

export function removeSize(at) {
  replaceParts({ set: { ...set.peek(), sizes: set.peek().sizes.toSpliced(at, 1) } });
}

/** Whether there is a set at all. */
export const hasSet = (of) => of.locales.length > 0 || of.screens.length > 0 || of.sizes.length > 0;

/**
 * The pictures of a set, `{name, of}`: the file and what is drawn, by screen, locale and size. `list` are the devices of a
 * scene; `deviceOf` gives the catalogue's entry of one.
 */
export function pictures(of, all, list, deviceOf) {
  const locales = of.locales.length ? of.locales : [all.language];
  const sizes = of.sizes.length ? of.sizes : [{ name: 'picture' }];
  return of.screens.flatMap((screen, number) =>
    locales.flatMap((locale) =>
      sizes.map((size) => {
        const captions = all.captions?.map((one, place) => ({ ...one, text: screen.captions[place] ?? '' }));
        let own = { ...all, ...(captions && { captions }), ...(locale && { language: locale }) };
        if (size.preset) own = put(own, 'canvas.preset', size.preset);
        if (size.device && !list.length) own = onDevice(own, size.device, deviceOf(size.device));
        const shots = shotsIn(screen, locale, list.length);
        return { name: fileOf(size, { locale: locale ?? 'all', screen: screen.name, number: number + 1 }), of: drawn({ settings: own, devices: list, screenshots: shots }) };
      }),
    ),
  );
}

/** The scheme of folders and names of a size's pictures: fastlane's `deliver` or `supply`, or `flat`. */
function layoutOf({ preset = '' }) {
  return preset.startsWith('app-store') ? 'deliver' : preset in FOLDERS ? 'supply' : 'flat';
}

function fileOf(size, names) {
  const marked = LARGE_TABLETS.includes(size.preset) ? `${size.name}_${MARK}` : size.name;
  const all = { ...names, size: marked, folder: FOLDERS[size.preset] };
  return LAYOUTS[layoutOf(size)].replace(/\{(\w+)\}/g, (_, field) => all[field]);
}

/**
 * How many texts a set lacks in one of its locales. A text without languages belongs to the first locale; a
 * text without letters needs no translation.
 */
export function untranslated({ locales, screens }) {
  const spoken = (text) => Object.values(isObject(text) ? text : { text }).some((one) => /\p{L}/u.test(one));
  const isOf = (text, locale) => (isObject(text) ? languageOf(text, locale).toLowerCase().startsWith(locale.toLowerCase().slice(0, 2)) : locale === locales[0]);
  const lacks = (text, locale) => spoken(text) && !isOf(text, locale);
  return screens.flatMap(({ captions }) => captions.flatMap((text) => locales.filter((locale) => lacks(text, locale)))).length;
}

/** The set as the file that `mockup set` reads, an object; screenshots lie in `shots` by the screens' names. */
export function setFile(of, all, list) {
  const captions = (all.captions ?? []).flatMap(({ text: _, hidden, ...one }, place) => (hidden ? [] : [{ one, place }]));
  const everywhere = (name) => of.sizes.length > 0 && of.sizes.every((size) => size[name]);
  // Settings that every size decides are not repeated.
  const decided = [...(everywhere('preset') ? ['canvas.preset'] : []), ...(everywhere('device') ? ['device'] : [])];
  const { settings: shown, devices: listed } = drawn({ settings: all, devices: list, screenshots: [] });
  const kept = ['language', 'captions', ...decided].reduce((left, path) => put(left, path, undefined), shown);
  const bare = (some) => (some.length ? { captions: some.map(({ one }) => one) } : {});
  const numbered = listed.length > 1 ? '-{device}' : '';
  const screens = of.screens.map(({ name, captions: texts, localized: byLocale }) => {
    const worded = captions.filter(({ place }) => texts[place]);
    // A caption without a text on this screen is left out.
    const own = worded.length < captions.length ? { settings: { captions: worded.map(({ one }) => one) } } : {};
    return { name, ...(byLocale && { screenshot: filesOf(name, of.locales[0], byLocale, numbered) }), ...(worded.length && { captions: worded.map(({ place }) => texts[place]) }), ...own };
  });
  return {
    output: 'pictures',
    screenshot: `shots/{screen}${numbered}.png`,
    locales: of.locales.length ? of.locales : [all.language ?? 'en'],
    ...(listed.length && { devices: listed }),
    settings: { ...kept, ...bare(captions) },
    screens,
    sizes: (of.sizes.length ? of.sizes : [{ name: 'picture' }]).map((size) => ({ ...size, layout: layoutOf(size) })),
  };
}

// The files of a screen by locale; a locale without its own has those of the first.
const filesOf = (name, first, byLocale, numbered) =>
  Object.fromEntries([[first, `shots/${name}${numbered}.png`], ...Object.keys(byLocale).map((locale) => [locale, `shots/${locale}/${name}${numbered}.png`])]);

/**
 * The set in an untrusted object, as far as it is valid, without screenshots; null if there is none. `language` is the
 * locale that is shown.
 */
export function setIn(found, language) {
  if (!isObject(found)) return null;
  const screens = objects(found.screens).flatMap(({ name, captions }) => (typeof name === 'string' ? [{ name, captions: Array.isArray(captions) ? captions : [], screenshots: [] }] : []));
  const sizes = objects(found.sizes).filter(({ name }) => typeof name === 'string');
  const locales = Array.isArray(found.locales) ? found.locales.map(String) : [];
  const screen = Math.min(Number(found.screen) || 0, Math.max(0, screens.length - 1));
  return { ...NO_SET, locales, screens, sizes, screen, ...(locales.length && { locale: locales.includes(language) ? language : locales[0] }) };
}

const objects = (list) => (Array.isArray(list) ? list.filter(isObject) : []);

// The part of a text that a file's name can contain.
const nameOf = (text) => text.replace(/\.[a-z0-9]+$/i, '').replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'screen';

function unused(name, taken) {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name}-${number}`;
  return free;
}

