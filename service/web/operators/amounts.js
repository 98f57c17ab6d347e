// Numbers formatted for people.
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const small = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const NOTHING = '–';

export const count = (value) => (value === null ? NOTHING : value < 100 ? short.format(value) : whole.format(value));

export const percent = (share) => (share === null ? NOTHING : `${whole.format(share * 100)} %`);

export function seconds(value) {
  if (value === null) return NOTHING;
  if (value > 0 && value < 5e-5) return '< 0.1 ms';
  if (value < 0.1) return `${small.format(value * 1000)} ms`;
  return value < 1 ? `${short.format(value * 1000)} ms` : `${short.format(value)} s`;
}

export function bytes(value) {
  if (value === null) return NOTHING;
  const at = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(value, 1)) / 3)));
  return `${short.format(value / 1000 ** at)} ${['B', 'kB', 'MB', 'GB'][at]}`;
}

export function duration(value) {
  const [days, hours, minutes] = [Math.floor(value / 86_400), Math.floor(value / 3600) % 24, Math.floor(value / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min` : `${Math.floor(value)} s`;
}
