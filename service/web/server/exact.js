// The finished picture in full size, for downloads; the last one is kept, since a picture on view is often downloaded
// next.
import { blobOf, send } from './api.js';
import { withUploads } from './screenshots.js';
import { same } from '../state/paths.js';
import { sampleNames } from '../state/sample.js';
import { bodyOf } from '../state/scene.js';

let last = null; // `{of, picture}`, the last a promise

/** The file of the drawn picture, with samples where there are no screenshots; raises `Failure`. */
export function exactPicture(of) {
  const whole = { ...of, screenshots: filled(of) };
  const isLast = last && same([last.of.settings, last.of.devices], [whole.settings, whole.devices]) && same(ids(last.of), ids(whole));
  if (isLast) return last.picture;
  const own = { of: whole, picture: render(whole) };
  own.picture.catch(() => {
    if (last === own) last = null;
  });
  last = own;
  return own.picture;
}

const ids = ({ screenshots }) => screenshots.map(({ id }) => id);

function filled({ screenshots, ...of }) {
  const names = sampleNames(of);
  return screenshots.map((one, at) => one ?? { id: `sample ${names[at]}`, name: names[at], sample: true });
}

/** The files of the drawn picture, one for each slice of the canvas; raises `Failure`. */
export async function finished(of) {
  const whole = { ...of, screenshots: filled(of) };
  if (!(of.settings.canvas?.slices > 1)) return [await render(whole)];
  const { images } = await (await posted(whole, 'json')).json();
  return images.map(({ data, mimeType }) => new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type: mimeType }));
}

async function render(of) {
  return blobOf(await posted(of, 'raw'));
}

async function posted(of, output) {
  return withUploads(await loaded(of.screenshots), (sources) => send('POST', `/api/v1/mockup?output=${output}`, { json: bodyOf(of, sources) }));
}

/** The screenshots of the drawn picture with their files; samples where there are none. */
export const shotsOf = (of) => loaded(filled(of));

const loaded = (shots) => Promise.all(shots.map((one) => (one.sample ? sample(one) : one)));

async function sample(one) {
  const { pathname } = new URL(`../samples/${one.name}.png`, import.meta.url);
  return { ...one, blob: await blobOf(await send('GET', pathname)) };
}
