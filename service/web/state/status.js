// The page's messages to its user about the server.
import { computed, signal } from '../html.js';

/**
 * `kind` is `idle` (nothing to show yet), `working`, `settled`, `busy`, `limited`, `offline`, `refused` (an error in
 * the request), `unauthorized` or `failed`; `message` is for people, `until` is when it is tried again, in ms.
 */
export const status = signal({ kind: 'idle' });

/** Messages by the path of the setting they are about, such as `shadow.blur` or `screenshot`. */
export const faults = signal({});

/** Warnings of the last picture: `{code, message}`. */
export const warnings = signal([]);

/** The times of the last picture in ms, and its size: `{roundTrip, server, stages, width, height}`. */
export const timing = signal(null);

export const hasPicture = computed(() => timing.value !== null);

/** Short messages that appear and go: `{id, text, kind}`. */
export const toasts = signal([]);
let count = 0; // number of toasts and announcements so far

export function toast(text, kind = 'info', duration = 4000) {
  const id = ++count;
  toasts.value = [...toasts.peek(), { id, text, kind }];
  setTimeout(() => dismiss(id), duration);
}

export function dismiss(id) {
  toasts.value = toasts.peek().filter((item) => item.id !== id);
}

/** The text for screen readers, once the picture has settled: `{id, text}`. */
export const announcement = signal({ id: 0, text: '' });

export function announce(text) {
  announcement.value = { id: ++count, text };
}

/** Splits the details of an error into messages by path, without the leading `settings.`. */
export function faultsOf(details) {
  return Object.fromEntries(details.map(({ path, message }) => [path.replace(/^settings\./, ''), message]));
}
