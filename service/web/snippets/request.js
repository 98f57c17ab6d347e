// A snippet's request for the present picture, to this server.
import { isObject } from '../state/paths.js';
import { ending, present } from '../state/picture.js';
import { sampleNames } from '../state/sample.js';
import { bodyOf } from '../state/scene.js';
import { value } from '../state/store.js';

/**
 * `{address, settings, source, output}`; `source` is `{file}`, the name of a file in the folder where the
 * snippet runs, `{url}`, which the server fetches, or `{sample}`, which the snippet first fetches from the
 * server. A scene has `devices` and their `sources` in place of `source`; a device whose screenshot is not a
 * file has the screenshot itself, and no source.
 */
export function presentRequest() {
  const { settings, devices, screenshots } = present.value;
  const names = sampleNames({ settings, devices });
  const sources = screenshots.map((shot, at) => (shot?.url ? { url: shot.url } : shot ? { file: shot.name } : { sample: `${location.origin}/studio/latest/samples/${names[at]}.png` }));
  const request = { address: `${location.origin}/api/v1/mockup?output=raw`, settings, output: `mockup.${ending(value('export.format'))}` };
  if (!devices.length) return { ...request, source: sources[0] };
  const listed = bodyOf({ settings, devices, screenshots }, sources.map(({ url }) => url && { type: 'url', src: url })).devices;
  return { ...request, devices: listed, sources: sources.map((source, at) => (listed[at].screenshot ? null : source)) };
}

/** JSON, on one line while it is short. */
export function json(value, indent = 2) {
  const line = JSON.stringify(value);
  return line.length < 60 ? line : JSON.stringify(value, null, indent);
}

/** The leaves of settings, `[path, value]`; a described device counts as a leaf. */
export function leaves(object, prefix = '') {
  return Object.entries(object).flatMap(([name, one]) =>
    isObject(one) && prefix + name !== 'device' ? leaves(one, `${prefix}${name}.`) : [[prefix + name, one]],
  );
}
