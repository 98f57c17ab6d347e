// Reading and writing members of plain objects and lists by paths such as `captions[0].font.size`; nothing is changed in place.

const STEP = /\[(\d+)\]|[^.[\]]+/g;

const steps = (path) => [...path.matchAll(STEP)].map(([name, index]) => (index === undefined ? name : Number(index)));

export function get(object, path) {
  let value = object;
  for (const name of steps(path)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = value[name];
  }
  return value;
}

/** A copy of `object` with `value` at `path`; undefined removes the member, and groups and lists that it leaves empty. */
export function put(object, path, value) {
  return placed(object, steps(path), value);
}

function placed(object, [name, ...rest], value) {
  const inner = rest.length ? placed(object?.[name], rest, value) : value;
  const empty = inner === undefined || (rest.length > 0 && Object.keys(inner).length === 0);
  if (typeof name === 'number') {
    const list = Array.isArray(object) ? object : [];
    return empty ? list.filter((_, at) => at !== name) : Object.assign([...list], { [name]: inner });
  }
  const copy = isObject(object) ? { ...object } : {};
  if (empty) delete copy[name];
  else copy[name] = inner;
  return copy;
}

/** A copy of an object without the members that are null, at any depth. */
export function withoutNulls(object) {
  const kept = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]));
}

export function same(a, b) {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
}

/** `next`, or `before` if it is the same, so that what depends on it is not renewed. */
export const renewed = (before, next) => (same(before, next) ? before : next);

export function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
