// A film as a command that makes it, with its settings in a file.
import { allOwn, filmBody } from '../state/film.js';
import { drawn } from '../state/scene.js';
import { quoted } from './shell.js';

const ENDINGS = { apng: 'png', frames: 'zip' };

/**
 * The command line of `mockup film`. `shown` is the recording, null for the screenshot, and `each` what the drawn devices show,
 * with recordings of their own by the keys of `own`.
 */
export function command(of, { settings: all, devices: list, screenshots: shots }, shown, each = [], own = {}) {
  const { settings, devices, screenshots } = drawn({ settings: all, devices: list, screenshots: shots });
  const { export: _, ...bare } = settings;
  const files = devices.map((_, at) => fileOf(each[at] ?? {}, screenshots[at], own));
  const names = namesOf(files, allOwn(each) ? undefined : shown?.name);
  const scene = devices.map((device, at) => ({ ...device, ...sourceOf(each[at] ?? {}, names.get(files[at]?.key)) }));
  const { type: __, ...body } = filmBody(of, bare, shown ? { recording: {} } : {}, scene);
  const format = of.export?.format ?? 'mp4';
  const input = allOwn(scene) ? '' : ` ${quoted(shown?.name ?? 'screenshot.png')}`;
  if (!Object.keys(body.recording ?? {}).length) delete body.recording;
  return `cat > film.json <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON\nmockup film${input} -o film.${ENDINGS[format] ?? format} --settings film.json\n`;
}

function sourceOf({ screenshot, recording, ...playback }, name) {
  if (recording) return { recording: { src: name, ...playback } };
  return screenshot ? { screenshot: name } : {};
}

// The file of a device: a key that distinguishes it from others, and its name. A device without a screenshot shows the sample.
function fileOf({ screenshot, recording: key }, shot, own) {
  if (key) return { key, name: own[key].name };
  return screenshot && { key: shot?.id ?? shot, name: shot?.name ?? 'screenshot.png' };
}

// The names of files by their keys. Files are different, so a name that repeats another, or `whole`, gets a number.
function namesOf(files, whole) {
  const names = new Map();
  for (const { key, name } of files.filter(Boolean)) {
    if (names.has(key)) continue;
    const taken = [whole, ...names.values()];
    let next = name;
    for (let number = 2; taken.includes(next); number += 1) next = name.replace(/(\.[^.]*)?$/, `-${number}$1`);
    names.set(key, next);
  }
  return names;
}
