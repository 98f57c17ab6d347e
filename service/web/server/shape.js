// The shape of the device in mm, from which outlines are computed; asked for again when another device is shown.
import { computed, effect } from '../html.js';
import { send } from './api.js';
import { withUpload } from './screenshots.js';
import { key } from '../state/key.js';
import { picture } from './live.js';
import { shape } from '../state/picture.js';
import { screenshot, settings, value } from '../state/store.js';

const AGAIN_MS = 2000;
const PAUSE_MS = 250; // so that leafing through devices asks for the last one only

// What the shape depends on.
const cause = computed(() => {
  const { width, height, id } = screenshot.value ?? {};
  return JSON.stringify([value('device'), value('orientation'), width ?? 0, height ?? 0, width ? '' : id]);
});

/** Keeps `shape` up to date from now on. */
export function followShape() {
  let timer = 0;
  let number = 0;
  const first = computed(() => picture.value !== null);
  effect(() => {
    void cause.value;
    if (!key.value || !first.value) return;
    clearTimeout(timer);
    number += 1;
    const own = number;
    const follow = async () => {
      try {
        const found = await ask();
        if (own === number) shape.value = found;
      } catch (error) {
        // Refused settings have no shape; for anything else, it is only a matter of time.
        if (own !== number) return;
        shape.value = null;
        if (error.status !== 400 && error.status !== 401) timer = setTimeout(follow, AGAIN_MS);
      }
    };
    timer = setTimeout(follow, shape.peek() ? PAUSE_MS : 0);
  });
}

async function ask() {
  const { device, orientation } = settings.peek();
  const json = { settings: { ...(device && { device }), ...(orientation && { orientation }) } };
  const post = (source) => send('POST', '/api/v1/geometry', { json: { ...json, screenshot: source } });
  const response = await withUpload(screenshot.peek(), post);
  return (await response.json()).shape;
}
