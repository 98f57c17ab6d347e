// How fast previews may follow each other, so that a user's rendering time lasts as long as somebody drags.

const PLENTY_MS = 15_000; // with at least this much time left, no preview has to wait
const SHARE = 0.8; // the live picture's share of the time left; shapes, looks and other tabs take the rest

/**
 * Milliseconds to wait after a preview that took `spent` ms. `left` ms of rendering are left until the whole limit is
 * available again in `until` seconds. 0 if the server does not say.
 */
export function pauseAfter(spent, left, until) {
  if (!(spent > 0 && until > 0 && left < PLENTY_MS)) return 0;
  const rest = Math.max(1, left * SHARE);
  return Math.min(until * 1000, Math.max(0, spent * ((until * 1000) / rest - 1)));
}
