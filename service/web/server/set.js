// The pictures of a set, drawn by the server one after the other, in a ZIP.
import { deviceOf } from './catalogue.js';
import { finished } from './exact.js';
import { patient } from './patience.js';
import { zip } from './zip.js';
import { signal } from '../html.js';
import { ending } from '../state/picture.js';
import { pictures, whole } from '../state/set.js';
import { devices, settings, value } from '../state/store.js';

/** `{done, count, waiting}` while the set is drawn, or null; `waiting` are seconds until the server is asked again. */
export const progress = signal(null);
/** The pictures that could not be drawn, `{name, message}`. */
export const failures = signal([]);
let asker = null;

export function stopSet() {
  asker?.stop();
}

/** Draws the whole set; gives its archive, or null if nothing was drawn. */
export async function drawSet() {
  const list = pictures(whole.peek(), settings.peek(), devices.peek(), deviceOf);
  const suffix = ending(value('export.format'));
  const made = [];
  failures.value = [];
  asker = patient((waiting) => (progress.value = { ...progress.peek(), waiting }));
  try {
    for (const [done, { name, of }] of list.entries()) {
      if (asker.stopped) break;
      progress.value = { done, count: list.length, waiting: 0 };
      const file = name.replace(/png$/, suffix);
      try {
        const blobs = await asker.run(() => finished(of));
        for (const [slice, blob] of blobs.entries()) {
          const own = blobs.length > 1 ? file.replace(/(\.\w+)$/, `-${slice + 1}$1`) : file;
          made.push({ name: own, bytes: new Uint8Array(await blob.arrayBuffer()) });
        }
      } catch (error) {
        if (!asker.stopped) failures.value = [...failures.peek(), { name: file, message: error.details?.[0] ? `${error.details[0].path} ${error.details[0].message}` : error.message }];
      }
    }
  } finally {
    progress.value = null;
  }
  return made.length ? zip(made) : null;
}
