// The API key: kept in this browser only, and sent to our own server only.
import { signal } from '../html.js';
import { read, write } from '../browser/preferences.js';

export const key = signal(read('key') ?? '');

/** Another key that the page's address brought, which is not used before its user says so; empty without one. */
export const offered = signal('');

export function keepKey(text) {
  key.value = text.trim();
  offered.value = '';
  write('key', key.value || null);
}

/** Takes a key from the page's address: at once without one, since a link must not move its reader to another account. */
export function offerKey(text) {
  const brought = text.trim();
  if (!key.peek()) keepKey(brought);
  else if (brought !== key.peek()) offered.value = brought;
}
