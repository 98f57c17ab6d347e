// The API key: kept in this browser only, and sent to our own server only.
import { signal } from '../html.js';
import { read, write } from '../browser/preferences.js';

export const key = signal(read('key') ?? '');

/** A different key from the page's address, which is not used until the user accepts it; empty if there is
    none. */
export const offered = signal('');

export function keepKey(text) {
  key.value = text.trim();
  offered.value = '';
  write('key', key.value || null);
}

/** Declines the key of the page's address. */
export function declineKey() {
  offered.value = '';
}

/** Notes a key from the page's address; whoever wrote the link may own its account, so the key is used only once the user has accepted it. */
export function offerKey(text) {
  const brought = text.trim();
  if (brought !== key.peek()) offered.value = brought;
}
