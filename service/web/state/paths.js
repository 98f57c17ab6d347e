// Reading and writing members of plain objects by paths such as `deviceTransform.scale`; nothing is changed in place.

export function get(object, path) {
  let value = object;
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined;
    value = value[name];
  }
  return value;
}

/** A copy of `object` with `value` at `path`; undefined removes the member, and groups that it leaves empty. */
export function put(object, path, value) {
  const [name, ...rest] = path.split('.');
  const copy = isObject(object) ? { ...object } : {};
  const inner = rest.length ? put(copy[name], rest.join('.'), value) : value;
  const empty = inner === undefined || (rest.length > 0 && Object.keys(inner).length === 0);
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

export function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
