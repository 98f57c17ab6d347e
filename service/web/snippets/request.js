// What a snippet asks for: the present picture, as a request to this server.
import { isObject } from '../state/paths.js';
import { ending } from '../state/picture.js';
import { sampleName } from '../state/sample.js';
import { screenshot, settings, value } from '../state/store.js';

/**
 * `{address, settings, source, output}`; `source` is `{file}`, the name of a file beside whoever runs it, `{url}`, which
 * the server fetches, or `{sample}`, which is fetched from the server first.
 */
export function presentRequest() {
  const shot = screenshot.value;
  const format = value('export.format');
  const source = shot?.url ? { url: shot.url } : shot ? { file: shot.name } : { sample: `${location.origin}/studio/latest/samples/${sampleName.value}.png` };
  return {
    address: `${location.origin}/api/v1/mockup?output=raw`,
    settings: settings.value,
    source,
    output: `mockup.${ending(format)}`,
  };
}

/** JSON, on one line while it is short. */
export function json(value, indent = 2) {
  const line = JSON.stringify(value);
  return line.length < 60 ? line : JSON.stringify(value, null, indent);
}

/** The leaves of settings, `[path, value]`; a described device is one. */
export function leaves(object, prefix = '') {
  return Object.entries(object).flatMap(([name, one]) =>
    isObject(one) && prefix + name !== 'device' ? leaves(one, `${prefix}${name}.`) : [[prefix + name, one]],
  );
}
