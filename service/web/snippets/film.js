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
  const names = namesOf(each, own, allOwn(each) ? undefined : shown?.name);
  const scene = devices.map((device, at) => ({ ...device, ...sourceOf(each[at] ?? {}, screenshots[at], names) }));
  const { type: __, ...body } = filmBody(of, bare, shown ? { recording: {} } : {}, scene);
  const format = of.export?.format ?? 'mp4';
  const input = allOwn(scene) ? '' : ` ${quoted(shown?.name ?? 'screenshot.png')}`;
  if (!Object.keys(body.recording ?? {}).length) delete body.recording;
  return `cat > film.json <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON\nmockup film${input} -o film.${ENDINGS[format] ?? format} --settings film.json\n`;
}

function sourceOf({ screenshot, recording: key, ...playback }, shot, names) {
  if (key) return { recording: { src: names[key], ...playback } };
  return screenshot ? { screenshot: shot?.name ?? 'screenshot.png' } : {};
}

// The file names of recordings by their keys. They are different files, so that repeated names, `whole` too, get a number.
function namesOf(each, own, whole) {
  const names = {};
  for (const { recording: key } of each) {
    if (!key || names[key]) continue;
    const taken = [whole, ...Object.values(names)];
    const { name } = own[key];
    let next = name;
    for (let number = 2; taken.includes(next); number += 1) next = name.replace(/(\.[^.]*)?$/, `-${number}$1`);
    names[key] = next;
  }
  return names;
}
