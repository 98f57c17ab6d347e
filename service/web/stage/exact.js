// The exported picture itself, shown over the live one while the view is enlarged and nothing changes.
import { effect, html, signal, useEffect } from '../html.js';
import { exactPicture } from '../server/exact.js';
import { status } from '../state/status.js';
import { present } from '../state/picture.js';
import { gesturing } from '../state/store.js';
import { zoom } from '../state/zoom.js';

const REST_MS = 400; // the pause in changes after which the exported picture is requested

/** The reason why only the live picture is shown; empty if there is none. */
export const missing = signal('');
const shown = signal(null); // `{address, of}`

export function Exact() {
  useEffect(() => {
    let timer = 0;
    let wanted = null; // the content to request
    const stop = effect(() => {
      const now = present.value;
      if (shown.peek() && shown.peek().of !== now) forget();
      if (wanted !== now) missing.value = '';
      clearTimeout(timer);
      const close = zoom.value !== null && status.value.kind === 'settled' && !gesturing.value;
      if (!close || shown.peek() || missing.peek()) return;
      wanted = now;
      timer = setTimeout(() => load(now, () => wanted === now), REST_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      wanted = null;
      forget();
    };
  }, []);
  if (zoom.value === null || !shown.value) return null;
  return html`<img class="exact ${zoom.value > 1 ? 'exact-large' : ''}" src=${shown.value.address} alt="" draggable=${false} />`;
}

async function load(of, isWanted) {
  try {
    const blob = await exactPicture(of);
    if (isWanted() && !shown.peek()) shown.value = { of, address: URL.createObjectURL(blob) };
  } catch (error) {
    if (isWanted()) missing.value = error.message;
  }
}

function forget() {
  if (shown.peek()) URL.revokeObjectURL(shown.peek().address);
  shown.value = null;
}
