// Small pictures of looks with the user's screenshot and device. They are made one after another while the
// live picture is at rest, and are left out first when the server is busy.
import { blobOf, send } from './api.js';
import { withUploads } from './screenshots.js';
import { computed, signal } from '../html.js';
import { dressed } from '../state/looks.js';
import { status } from '../state/status.js';
import { present } from '../state/picture.js';
import { bodyOf } from '../state/scene.js';

const PIXELS = 43_200;
const LOOK_MS = 100; // interval of checks whether the live picture rests
const RETRY_MS = 3000;
const SCARCE_MS = 12_000; // the part of this minute's render time that is reserved for the live picture

/** Addresses of pictures by look id. */
export const fittings = signal({});

/** The content of the pictures, which are made again when it changes. */
export const subject = computed(() => {
  const { settings, devices, screenshots } = present.value;
  const { device, orientation, screen, appearance, layout } = settings;
  return JSON.stringify([screenshots.map((one) => one?.id), devices, layout, device, orientation, screen, appearance?.deviceColor, appearance?.theme]);
});

let made = null; // the subject of the present pictures
let number = 0;

/** Makes the missing pictures of these looks, until the returned function is called. */
export function fitLooks(looks) {
  const own = ++number;
  const wanted = () => own === number;
  make(looks, wanted);
  return () => {
    if (wanted()) number += 1;
  };
}

async function make(looks, wanted) {
  for (const look of looks) {
    while (wanted() && status.peek().kind !== 'settled') await pause(LOOK_MS);
    if (!wanted()) return;
    forgetOthers();
    if (fittings.peek()[look.id]) continue;
    const address = await render(look);
    if (!wanted()) return address && URL.revokeObjectURL(address);
    if (address) fittings.value = { ...fittings.peek(), [look.id]: address };
    else await pause(RETRY_MS);
  }
}

function forgetOthers() {
  if (subject.peek() === made) return;
  made = subject.peek();
  Object.values(fittings.peek()).forEach(URL.revokeObjectURL);
  fittings.value = {};
}

async function render(look) {
  try {
    const { settings, ...of } = present.peek();
    const whole = { ...of, settings: { ...dressed(settings, look), export: { quality: 85 } } };
    const post = (sources) => send('POST', '/api/v1/previews', { json: { ...bodyOf(whole, sources), maxPixels: PIXELS } });
    const response = await withUploads(of.screenshots, post);
    const blob = await blobOf(response);
    if (Number(response.headers.get('X-Preview-Remaining-Ms')) < SCARCE_MS) await pause(RETRY_MS);
    return URL.createObjectURL(blob);
  } catch {
    return null; // the server's own picture of the look stays, and the live picture reports the fault
  }
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
