// Colours as settings have them: hex, with or without opacity.

/** The pattern of a hex colour, with or without `#`. */
export const HEX = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** `{rgb: '#rrggbb', alpha: 0–1}` of a hex colour; transparent white for anything else. */
export function parts(text) {
  const found = HEX.exec(text ?? '')?.[1];
  if (!found) return { rgb: '#ffffff', alpha: 0 };
  const long = found.length < 6 ? [...found].map((digit) => digit + digit).join('') : found;
  return { rgb: `#${long.slice(0, 6)}`.toLowerCase(), alpha: long.length > 6 ? parseInt(long.slice(6), 16) / 255 : 1 };
}

/** The hex colour of these parts. */
export function joined(rgb, alpha) {
  const rest = Math.round(alpha * 255);
  return (rgb + (rest === 255 ? '' : rest.toString(16).padStart(2, '0'))).toUpperCase();
}
