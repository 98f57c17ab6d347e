// The way back: settings out of a pasted request, or of a picture that the service made.
import { BACKTICK } from './languages.js';
import { readLiteral } from './literal.js';
import { words } from './shell.js';
import { isObject, put } from '../state/paths.js';
import { form } from '../state/schema.js';

const LONGEST = 200_000; // characters of a request
const OPENING = '<mockup:settings>';
const CLOSING = '</mockup:settings>';
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

/** The settings in a text such as a curl line, a program or JSON; null if there are none. */
export function settingsIn(text) {
  if (text.length > LONGEST) return null;
  if (/^\s*(?:\S*\/)?mockup\s+render\s/m.test(text)) return ofCommand(words(text));
  const plain = text.replaceAll("'\\''", "'").replaceAll(BACKTICK, '`');
  for (let at = plain.indexOf('{'); at >= 0; at = plain.indexOf('{', at + 1)) {
    const found = objectAt(plain, at);
    const candidate = isObject(found?.settings) ? found.settings : found;
    if (candidate && isSettings(candidate)) return candidate;
  }
  return text.includes('/api/v1/mockup?') ? {} : null;
}

/** The settings kept in a picture file, or null. */
export async function settingsOfPicture(file) {
  const text = new TextDecoder().decode(await file.arrayBuffer());
  const start = text.indexOf(OPENING);
  const end = text.indexOf(CLOSING, start);
  if (start < 0 || end < 0) return null;
  const inner = text.slice(start + OPENING.length, end).replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity]);
  const found = objectAt(inner, inner.indexOf('{'));
  return isObject(found) ? found : null;
}

function objectAt(text, at) {
  try {
    return readLiteral(text, at);
  } catch {
    return null;
  }
}

// At least one member, and none that no setting is called.
function isSettings(object) {
  const known = new Set(form.peek().settings.map(({ path }) => path.split('.')[0]));
  const names = Object.keys(object);
  return names.length > 0 && names.every((name) => known.has(name));
}

function ofCommand(line) {
  let found = {};
  line.forEach((word, at) => {
    const next = line[at + 1] ?? '';
    if (word === '--device') found = put(found, 'device', ofJSON(next));
    const [, path, text] = (word === '--set' && /^([\w.]+)=([^]*)$/.exec(next)) || [];
    if (path) found = put(found, path, ofJSON(text));
  });
  return found;
}

function ofJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
