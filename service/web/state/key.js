// The API key: kept in this browser only, and sent to our own server only.
import { signal } from '../html.js';
import { read, write } from '../browser/preferences.js';

export const key = signal(read('key') ?? '');

export function keepKey(text) {
  key.value = text.trim();
  write('key', key.value || null);
}
