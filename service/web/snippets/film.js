// A film as a command that makes it, with its settings in a file.
import { filmBody } from '../state/film.js';
import { drawn } from '../state/scene.js';
import { quoted } from './shell.js';

const ENDINGS = { apng: 'png', frames: 'zip' };

/** The command line of `mockup film`; without a recording, it names the screenshot. */
export function command(of, all, list, shown) {
  const { settings, devices } = drawn({ settings: all, devices: list, screenshots: [null] });
  const { export: _, ...bare } = settings;
  const { type: __, screenshot: ___, ...body } = filmBody(of, bare, {}, shown, devices);
  const format = of.export?.format ?? 'mp4';
  const input = shown?.name ?? 'screenshot.png';
  const file = JSON.stringify({ ...body, ...(of.recording && shown && { recording: of.recording }) }, null, 2);
  return `cat > film.json <<'JSON'\n${file}\nJSON\nmockup film ${quoted(input)} -o film.${ENDINGS[format] ?? format} --settings film.json\n`;
}
