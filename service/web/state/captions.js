// The captions, a list in the settings: chosen, typed, moved, hidden, duplicated and removed.
import { computed, signal } from '../html.js';
import { isObject } from './paths.js';
import { moved } from './scene.js';
import { change, chosen, set, settings } from './store.js';

/** The most captions of a picture. */
export const MOST_CAPTIONS = 8;
/** The most characters of a caption. */
export const LONGEST = 500;

/** The place of new captions; each is lower than the last, so that they do not overlap. */
const FIRST = { text: 'Your caption', y: 0.06, overflow: 'shrink' };
const BELOW = 0.14; // distance between new captions, in canvas heights

const NONE = [];

export const captions = computed(() => settings.value.captions ?? NONE);

const picked = signal(null);

/** The index of the chosen caption, or null; undo does not change it. */
export const caption = computed(() => (picked.value !== null && captions.value[picked.value] ? picked.value : null));

/** The index of the caption that is being typed in the picture, or null. */
export const typing = signal(null);

/** Chooses a caption in place of a device, or none. */
export function chooseCaption(at) {
  picked.value = at;
  if (at !== null) chosen.value = null;
}

/** The text of a caption in a language, or else in its first one; the server chooses in the same way. */
export function textOf({ text = '' }, language) {
  if (!isObject(text)) return text;
  return text[languageOf(text, language)] ?? '';
}

/** The key of a language in a text by language, by RFC 4647's lookup, or else the first key. */
export function languageOf(text, language) {
  const names = Object.keys(text);
  for (let wanted = (language ?? '').toLowerCase(); wanted; wanted = wanted.split('-').slice(0, -1).join('-')) {
    const own = names.find((name) => name.toLowerCase() === wanted) ?? names.find((name) => name.toLowerCase().startsWith(`${wanted}-`));
    if (own) return own;
  }
  return names[0];
}

/** A caption's text with that of a language replaced, in a set of `locales`. */
export function withText(text, language, next, locales = []) {
  if (isObject(text)) return { ...text, [language ?? languageOf(text)]: next };
  // In a set, a text that stood for all locales becomes the first locale's.
  return locales.length > 1 && language ? { [locales[0]]: text, [language]: next } : next;
}

export function typeText(at, next) {
  const { text } = captions.peek()[at];
  change({ [`captions[${at}].text`]: withText(text, settings.peek().language, next, set.peek().locales) }, `typing ${at}`);
}

/** Adds a caption, and chooses it. */
export function addCaption() {
  const list = captions.peek();
  if (list.length >= MOST_CAPTIONS) return;
  const y = Math.min(0.9, Math.round((FIRST.y + BELOW * list.length) * 100) / 100);
  write([...list, { ...FIRST, y }]);
  chooseCaption(list.length);
}

export function duplicateCaption(at) {
  const list = captions.peek();
  if (list.length >= MOST_CAPTIONS) return;
  const { y = 0.08, ...one } = list[at];
  write(list.toSpliced(at + 1, 0, { ...one, y: Math.round((y + BELOW) * 100) / 100 }));
  chooseCaption(at + 1);
}

export function removeCaption(at) {
  write(captions.peek().toSpliced(at, 1));
  chooseCaption(null);
}

/** Moves a caption within the list, in which later ones lie over earlier ones. */
export function moveCaption(from, to) {
  if (to < 0 || to >= captions.peek().length) return;
  write(moved(captions.peek(), from, to));
  chooseCaption(to);
}

export function hideCaption(at, hidden) {
  const { hidden: _, ...rest } = captions.peek()[at];
  write(captions.peek().with(at, hidden ? { ...rest, hidden } : rest));
}

function write(list) {
  change({ captions: list.length ? list : undefined }, null);
}

/**
 * Where a caption is in a picture of `width` x `height` px, as CSS has it: its anchor, its greatest width, the size of its
 * font, and how it lies about the anchor.
 */
export function laid(value, width, height) {
  const anchor = value('anchor');
  const [x, y] = [/left/.test(anchor) ? 0 : /right/.test(anchor) ? 100 : 50, /top/.test(anchor) ? 0 : /bottom/.test(anchor) ? 100 : 50];
  const side = { 0: 'left', 50: 'center', 100: 'right' }[x];
  return {
    left: `${value('x') * width}px`,
    top: `${value('y') * height}px`,
    // As on the server: a text aligned to the side opposite its anchor has a fixed width.
    [/start|end/.test(value('align')) && x !== 50 && !value('background') ? 'width' : 'maxWidth']: `${value('width') * width}px`,
    fontFamily: `${JSON.stringify(value('font.family'))}, "Mockup Inter", sans-serif`,
    fontSize: `${value('font.size') * Math.min(width, height)}px`,
    fontWeight: value('font.weight'),
    fontStyle: value('font.italic') ? 'italic' : 'normal',
    lineHeight: value('font.lineHeight'),
    letterSpacing: `${value('font.letterSpacing')}em`,
    color: value('color'),
    textAlign: value('align') ?? side,
    transformOrigin: `${x}% ${y}%`,
    transform: `translate(${-x}%, ${-y}%) rotate(${-value('rotation')}deg)`,
  };
}

/** A caption's place in the canvas, moved by fractions of it; it snaps to the middle. */
export function dragged([x, y], [right, down], fine) {
  const rounded = (number) => Math.round(Math.min(2, Math.max(-1, number)) * 1000) / 1000;
  const across = rounded(x + right);
  return { x: !fine && Math.abs(across - 0.5) < 0.012 ? 0.5 : across, y: rounded(y + down) };
}
