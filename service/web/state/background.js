// The background of the devices: a colour, a gradient through stops, or a picture.
import { signal } from '../html.js';
import { isObject } from './paths.js';
import { change, settings, value } from './store.js';

/** The least and the most stops of a gradient. */
export const [FEWEST_STOPS, MOST_STOPS] = [2, 8];

/** Whether the background is the chosen layer. */
export const backgroundChosen = signal(false);

/** `color`, `gradient` or `image`: what the settings' `appearance` shows. */
export function kindOf({ gradientEnabled, gradientStops, backgroundImage } = {}) {
  if (isObject(backgroundImage)) return 'image';
  return gradientEnabled ?? Boolean(gradientStops?.length) ? 'gradient' : 'color';
}

/** Shows another kind; the settings of the others are removed, since they would show through or have no effect. */
export function showKind(kind) {
  const image = kind === 'image' ? { type: 'screenshot' } : undefined;
  const kept = kind === 'gradient' ? settings.peek().appearance?.gradientStops : undefined;
  const gradient = kind === 'gradient' || (kind === 'image' && value('appearance.gradientEnabled')) || undefined;
  const without = gradient ? {} : { 'appearance.gradientColor': undefined, 'appearance.gradientType': undefined, 'appearance.gradientAngle': undefined };
  change({ 'appearance.backgroundImage': image, 'appearance.gradientEnabled': gradient, 'appearance.gradientStops': kept, ...without }, null);
}

/** The stops of the gradient, `{color, at}`, as they are or as its two colours make them. */
export function stops() {
  const given = value('appearance.gradientStops') ?? [];
  const list = given.length ? given : [{ color: value('appearance.backgroundColor') }, { color: value('appearance.gradientColor') }];
  const places = spread(list.map(({ at }) => at ?? null));
  return list.map(({ color }, number) => ({ color, at: places[number] }));
}

/** Places of stops from 0 to 1, those that are null spread evenly between their neighbours, as the server does. */
export function spread(places) {
  const found = places.map((at, number) => at ?? (number === 0 ? 0 : number === places.length - 1 ? 1 : null));
  const known = found.flatMap((at, number) => (at === null ? [] : [number]));
  return found.map((at, number) => {
    if (at !== null) return at;
    const low = known.findLast((one) => one < number);
    const high = known.find((one) => one > number);
    return found[low] + ((found[high] - found[low]) * (number - low)) / (high - low);
  });
}

/** Stops with one changed, and in the order of their places. */
export function withStop(list, number, changes) {
  const changed = list.with(number, { ...list[number], ...changes });
  return [...changed].sort((a, b) => a.at - b.at);
}

/** Stops with one more in the widest gap, of the colour between. */
export function withAnother(list) {
  const gaps = list.slice(1).map(({ at }, number) => at - list[number].at);
  const widest = gaps.indexOf(Math.max(...gaps));
  const at = rounded((list[widest].at + list[widest + 1].at) / 2);
  return list.toSpliced(widest + 1, 0, { color: list[widest].color, at });
}

export function writeStops(list, step) {
  const places = list.map(({ color, at }) => ({ color, at: rounded(at) }));
  change({ 'appearance.gradientStops': places, 'appearance.gradientEnabled': true }, step);
}

const rounded = (number) => Math.round(number * 1000) / 1000;

/** The gradient's colours from left to right, for CSS. */
export const bar = (list) => `linear-gradient(90deg, ${list.map(({ color, at }) => `${color} ${at * 100}%`).join()})`;

/** The background as CSS shows it, about as the server does. */
export function css() {
  const color = value('appearance.backgroundColor');
  if (kindOf(settings.value.appearance) !== 'gradient') return color;
  const angle = `${value('appearance.gradientAngle')}deg`;
  const list = stops().map((stop) => `${stop.color} ${stop.at * 100}%`).join();
  switch (value('appearance.gradientType')) {
    case 'radial': return `radial-gradient(farthest-corner, ${list})`;
    case 'conic': return `conic-gradient(from ${angle}, ${list}${settings.value.appearance.gradientStops ? '' : `, ${color}`})`;
    default: return `linear-gradient(${angle}, ${list})`;
  }
}
