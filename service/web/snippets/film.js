// A film as a command that makes it, with its settings in a file.
import { filmBody } from '../state/film.js';
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
  const scene = devices.map((device, at) => ({ ...device, ...sourceOf(each[at] ?? {}, screenshots[at], own) }));
  const { type: __, ...body } = filmBody(of, bare, shown ? { recording: {} } : {}, scene);
  const owned = scene.length > 0 && scene.every((one) => one.recording || one.screenshot);
  const format = of.export?.format ?? 'mp4';
  const input = owned ? '' : ` ${quoted(shown?.name ?? 'screenshot.png')}`;
  if (!Object.keys(body.recording ?? {}).length) delete body.recording;
  return `cat > film.json <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON\nmockup film${input} -o film.${ENDINGS[format] ?? format} --settings film.json\n`;
}

function sourceOf({ screenshot, recording: key, ...playback }, shot, own) {
  if (key) return { recording: { src: own[key].name, ...playback } };
  return screenshot ? { screenshot: shot?.name ?? 'screenshot.png' } : {};
}
