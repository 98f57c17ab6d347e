// The shapes of the devices in mm, from which outlines are computed; asked for again when other devices are shown.
import { batch, computed, effect } from '../html.js';
import { send } from './api.js';
import { withUploads } from './screenshots.js';
import { key } from '../state/key.js';
import { picture } from './live.js';
import { pictureDevices, present, shapes } from '../state/picture.js';
import { bodyOf } from '../state/scene.js';

const AGAIN_S = 2;
const PAUSE_MS = 250; // so that browsing through devices requests only the last shapes

const shaped = ({ device, orientation }) => ({ ...(device && { device }), ...(orientation && { orientation }) });

// The settings that the shapes depend on.
const cause = computed(() => {
  const { settings, devices, screenshots, places } = present.value;
  const sizes = screenshots.map((one) => (one?.width ? [one.width, one.height] : one?.id));
  return JSON.stringify([shaped(settings), devices.map(shaped), sizes, places]);
});

/** Keeps `shapes` up to date from now on. */
export function followShape() {
  let timer = 0;
  let number = 0;
  let asking = false; // one at a time: the server answers only the latest request
  const first = computed(() => picture.value !== null);
  const follow = async () => {
    if (asking) return;
    asking = true;
    const own = number;
    const isWanted = () => own === number;
    try {
      const of = present.peek();
      const found = await ask(of);
      if (isWanted()) take(of, found);
    } catch (error) {
      // Refused settings have no shape; other failures are temporary, so the request is repeated.
      if (isWanted()) {
        shapes.value = [];
        if (error.status !== 400 && error.status !== 401) timer = setTimeout(follow, (error.retryAfter ?? AGAIN_S) * 1000);
      }
    }
    asking = false;
    if (!isWanted()) follow();
  };
  effect(() => {
    void cause.value;
    if (!key.value || !first.value) return;
    clearTimeout(timer);
    number += 1;
    timer = setTimeout(follow, shapes.peek().length ? PAUSE_MS : 0);
  });
}

async function ask(of) {
  const bare = { ...of, settings: shaped(of.settings), devices: of.devices.map(shaped) };
  const response = await withUploads(of.screenshots, (sources) => send('POST', '/api/v1/geometry', { json: bodyOf(bare, sources) }));
  return response.json();
}

function take({ places }, { shape, devices }) {
  batch(() => {
    if (!devices) shapes.value = [shape];
    else {
      const [found, names] = [[], [...pictureDevices.peek()]];
      devices.forEach((one, at) => {
        found[places[at]] = one.shape;
        names[places[at]] = one.device;
      });
      shapes.value = found;
      pictureDevices.value = names;
    }
  });
}
