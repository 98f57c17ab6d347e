// Reads the settings of a pasted request, or of a picture that the service made.
import { BACKTICK } from './languages.js';
import { readLiteral } from './literal.js';
import { words } from './shell.js';
import { isObject, put } from '../state/paths.js';
import { MOST_DEVICES } from '../state/scene.js';
import { form } from '../state/schema.js';

const LONGEST = 200_000; // the most characters of a request
const MEMBERS = ['device', 'screenshot', 'orientation', 'screen', 'appearance', 'deviceTransform', 'depth']; // members of a device in a scene
const OPENING = '<mockup:settings>';
const CLOSING = '</mockup:settings>';
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

/** `{settings, devices}` in a text such as a curl line, a program or JSON; null if there are none. */
export function requestIn(text) {
  if (text.length > LONGEST) return null;
  if (/^\s*(?:\S*\/)?mockup\s+render\s/m.test(text)) return { settings: ofCommand(words(text)), devices: [] };
  const plain = text.replaceAll("'\\''", "'").replaceAll(BACKTICK, '`');
  const { devices, rest } = devicesIn(plain);
  for (let at = rest.indexOf('{'); at >= 0; at = rest.indexOf('{', at + 1)) {
    const found = literalAt(rest, at)?.value;
    const candidate = isObject(found?.settings) ? found.settings : found;
    if (candidate && isSettings(candidate)) return { settings: candidate, devices };
  }
  return devices.length || text.includes('/api/v1/mockup?') ? { settings: {}, devices } : null;
}

// The devices of a scene, without their screenshots, and the text with a `0` in place of the devices.
function devicesIn(text) {
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
    const found = literalAt(text, at);
    if (isDevices(found?.value)) {
      const devices = found.value.map(({ screenshot: _, ...device }) => device);
      return { devices, rest: `${text.slice(0, at)}0${text.slice(found.end)}` };
    }
  }
  return { devices: [], rest: text };
}

const isDevices = (list) =>
  Array.isArray(list) && list.length > 0 && list.length <= MOST_DEVICES &&
  list.every((one) => isObject(one) && Object.keys(one).every((name) => MEMBERS.includes(name))) && list.some((one) => Object.keys(one).length > 0);

/** The settings kept in a picture file, or null. */
export async function settingsOfPicture(file) {
  const text = new TextDecoder().decode(await file.arrayBuffer());
  const start = text.indexOf(OPENING);
  const end = text.indexOf(CLOSING, start);
  if (start < 0 || end < 0) return null;
  const inner = text.slice(start + OPENING.length, end).replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity]);
  const found = literalAt(inner, inner.indexOf('{'))?.value;
  return isObject(found) ? found : null;
}

function literalAt(text, at) {
  try {
    return readLiteral(text, at);
  } catch {
    return null;
  }
}

// Whether there is at least one member, and all names are those of settings.
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
