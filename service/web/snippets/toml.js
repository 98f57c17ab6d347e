// Objects as TOML: tables for objects, arrays of tables for lists of objects, and inline values within those.
import { isObject } from '../state/paths.js';

/** A text of an object's members; undefined ones are left out. */
export function toml(object) {
  return `${table(object, '').trim()}\n`;
}

function table(object, path) {
  const entries = Object.entries(object).filter(([, one]) => one !== undefined);
  const own = entries.filter(([, one]) => !isObject(one) && !isTables(one)).map(([name, one]) => `${key(name)} = ${inline(one)}\n`);
  const tables = entries.filter(([, one]) => isObject(one)).map(([name, one]) => table(one, join(path, name)));
  const lists = entries.filter(([, one]) => isTables(one)).flatMap(([name, list]) => list.map((one) => `\n[[${join(path, name)}]]\n${flat(one)}`));
  const head = path && own.length ? `\n[${path}]\n` : '';
  return [head, ...own, ...tables, ...lists].join('');
}

const isTables = (one) => Array.isArray(one) && one.length > 0 && one.every(isObject);
const flat = (object) => Object.entries(object).filter(([, one]) => one !== undefined).map(([name, one]) => `${key(name)} = ${inline(one)}\n`).join('');
const key = (name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
const join = (path, name) => (path ? `${path}.${key(name)}` : key(name));

function inline(one) {
  if (Array.isArray(one)) return `[${one.map(inline).join(', ')}]`;
  if (isObject(one)) return `{ ${Object.entries(one).filter(([, inner]) => inner !== undefined).map(([name, inner]) => `${key(name)} = ${inline(inner)}`).join(', ')} }`;
  return JSON.stringify(one).replaceAll('\x7f', '\\u007f');
}
