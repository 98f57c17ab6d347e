// What the server's own schema says about each setting: type, range, default, description.
import { signal } from '../html.js';
import { getJSON } from '../server/api.js';
import { get, isObject } from './paths.js';

export const schema = signal(null); // the components of /openapi.json, once loaded
let defaults = {};

export async function loadSchema() {
  const document = await getJSON('/openapi.json');
  schema.value = document.components.schemas;
  defaults = collect(resolve({ $ref: '#/components/schemas/Settings' }));
}

/** The default of a setting, undefined for one that has none. */
export function fallback(path) {
  const found = get(defaults, path);
  return found === null ? undefined : found;
}

/** The schema of a setting with references followed and null left out, or null if there is none. */
export function describe(path) {
  let found = resolve({ $ref: '#/components/schemas/Settings' });
  for (const name of path.split('.')) {
    const forms = [found, ...(found.oneOf ?? []), ...(found.anyOf ?? [])].map(resolve);
    const group = forms.find((form) => form.properties?.[name]);
    if (!group) return null;
    found = resolve(group.properties[name]);
  }
  return found;
}

/** One level of a schema: its reference followed, and null left out of `anyOf`. */
export function resolve(part) {
  if (part.$ref) {
    const { $ref, ...rest } = part;
    return { ...resolve(schema.peek()[$ref.split('/').at(-1)]), ...rest };
  }
  if (!part.anyOf) return part;
  const { anyOf, ...rest } = part;
  const forms = anyOf.filter((form) => form.type !== 'null');
  return forms.length === 1 ? { ...resolve(forms[0]), ...rest } : { ...rest, anyOf: forms };
}

function collect(group) {
  const found = {};
  for (const [name, part] of Object.entries(group.properties)) {
    const one = resolve(part);
    found[name] = one.properties && isObject(one.default) ? collect(one) : one.default;
  }
  return found;
}
