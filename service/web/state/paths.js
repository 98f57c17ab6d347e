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

/** `base` with the members of `over`, group by group; null removes a member. */
export function merge(base, over) {
  if (!isObject(over)) return over;
  const copy = isObject(base) ? { ...base } : {};
  for (const [name, value] of Object.entries(over)) {
    if (value === null) delete copy[name];
    else copy[name] = merge(copy[name], value);
  }
  return copy;
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
