// The finished picture in full size, as it is downloaded; the last one is kept, since what is looked at is often taken next.
import { blobOf, send } from './api.js';
import { withUploads } from './screenshots.js';
import { same } from '../state/paths.js';
import { sampleNames } from '../state/sample.js';
import { bodyOf } from '../state/scene.js';

let last = null; // `{of, picture}`, the last a promise

/** The picture file of what is drawn, with samples where there are no screenshots; raises `Failure`. */
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

async function render(of) {
  const shots = await Promise.all(of.screenshots.map((one) => (one.sample ? sample(one) : one)));
  return withUploads(shots, async (sources) => {
    const response = await send('POST', '/api/v1/mockup?output=raw', { json: bodyOf(of, sources) });
    return blobOf(response);
  });
}

async function sample(one) {
  const { pathname } = new URL(`../samples/${one.name}.png`, import.meta.url);
  return { ...one, blob: await blobOf(await send('GET', pathname)) };
}
