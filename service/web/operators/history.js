// The figures of the last minutes, as `GET /api/v1/status` gave them. They are kept in this page only.
import { computed, effect, signal } from '../html.js';
import { getJSON } from '../server/api.js';
import { key } from '../state/key.js';
import { snapshotOf } from './figures.js';

export const EVERY_MS = 2000;
export const KEPT_MS = 5 * 60_000;

/** Snapshots, the oldest first; see `figures.js`. */
export const history = signal([]);
export const latest = computed(() => history.value.at(-1) ?? null);

/** Whether figures are requested; users must be able to stop moving content. */
export const paused = signal(false);

/** The last failure, or null: `status` is 401 or 403 where a key is wanted, 0 where the server cannot be reached. */
export const failure = signal(null);

let timer = 0;

/** Keeps asking for figures from now on, and at once when the key changes or the pause ends. */
export function followFigures() {
  effect(() => {
    void key.value;
    clearTimeout(timer);
    if (!paused.value) ask();
  });
}

/** Asks for figures at once, such as after a key was entered, even the same one. */
export async function ask() {
  clearTimeout(timer);
  const asked = key.peek();
  try {
    const found = snapshotOf(await getJSON('/api/v1/status'), Date.now());
    if (paused.peek()) return;
    // A restarted server counts from zero.
    const before = history.peek().filter((one) => one.started === found.started && found.time - one.time <= KEPT_MS);
    history.value = [...before, found];
    failure.value = null;
  } catch (error) {
    if (asked !== key.peek()) return;
    failure.value = error;
    if (error.status === 401 || error.status === 403) {
      history.value = [];
      return;
    }
  }
  clearTimeout(timer);
  if (!paused.peek()) timer = setTimeout(ask, EVERY_MS);
}
