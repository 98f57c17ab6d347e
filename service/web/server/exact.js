// The finished picture in full size, as it is downloaded; the last one is kept, since what is looked at is often taken next.
import { blobOf, send } from './api.js';
import { withUpload } from './screenshots.js';
import { same } from '../state/paths.js';
import { sampleName } from '../state/sample.js';

let last = null; // `{settings, id, picture}`, the last a promise

/** The picture file of settings and a screenshot (null for the sample); raises `Failure`. */
export function exactPicture(settings, screenshot) {
  const id = screenshot?.id ?? `sample ${sampleName.peek()}`;
  if (last?.id === id && same(last.settings, settings)) return last.picture;
  const own = { settings, id, picture: render(settings, screenshot) };
  own.picture.catch(() => {
    if (last === own) last = null;
  });
  last = own;
  return own.picture;
}

async function render(settings, screenshot) {
  return withUpload(screenshot ?? (await sample(sampleName.peek())), async (source) => {
    const response = await send('POST', '/api/v1/mockup?output=raw', { json: { type: 'screenshot', settings, screenshot: source } });
    return blobOf(response);
  });
}

async function sample(name) {
  const { pathname } = new URL(`../samples/${name}.png`, import.meta.url);
  return { id: `sample ${name}`, name, blob: await blobOf(await send('GET', pathname)) };
}
