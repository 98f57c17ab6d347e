// A scene's devices as a list: added, removed, duplicated, moved and hidden. Hidden layers are not drawn, and
// are in no request.
import { get, put } from './paths.js';
import { chosen, current, devices, replaceParts, screenshots, settings } from './store.js';

/** The most devices of a scene. */
export const MOST_DEVICES = 8;
const FIRST_LAYOUT = 'row'; // for a new scene: in a row, devices do not overlap
const OWN = ['device', 'orientation', 'screen', 'appearance.deviceColor', 'appearance.style', 'appearance.theme'];
const DEVICES = ['deviceColor', 'style', 'theme']; // members of `appearance` that belong to a device; the others belong to the background
const TURNS = ['pose', 'rotationX', 'rotationY', 'rotationZ'];

/** Settings and devices of a picture of one device as a scene of one. */
export function asScene(all) {
  const own = OWN.filter((path) => get(all, path) !== undefined);
  const device = own.reduce((made, path) => put(made, path, get(all, path)), {});
  return { settings: own.reduce((left, path) => put(left, path, undefined), all), devices: [device] };
}

/** Settings of a scene of one device as those of a picture, as far as a single picture can express them. */
export function asPicture(all, { deviceTransform = {}, depth, ...device }) {
  const turned = TURNS.some((name) => get(all, `deviceTransform.${name}`) !== undefined);
  const kept = Object.entries(deviceTransform).filter(([name]) => !turned || !TURNS.includes(name));
  const moved = kept.reduce((made, [name, one]) => put(made, `deviceTransform.${name}`, one), put(all, 'layout', undefined));
  const { appearance, screen, ...rest } = device;
  const groups = Object.entries({ ...appearance }).reduce((made, [name, one]) => put(made, `appearance.${name}`, one), moved);
  return { ...Object.entries({ ...screen }).reduce((made, [name, one]) => put(made, `screen.${name}`, one), groups), ...rest };
}

/**
 * The content to draw: settings and devices without hidden layers. If all of a scene is hidden, it is drawn whole.
 * `places` are where the devices are in the list, `captionPlaces` where the captions are.
 */
export function drawn({ settings: all, devices: list, screenshots: shots }) {
  const places = list.flatMap((one, place) => (one.hidden ? [] : [place]));
  const shown = places.length ? places : list.map((_, place) => place);
  return {
    settings: withoutHidden(all),
    places: shown,
    captionPlaces: (all.captions ?? []).flatMap((one, place) => (isShown(one) ? [place] : [])),
    devices: shown.map((place) => bare(list[place])),
    screenshots: list.length ? shown.map((place) => shots[place] ?? null) : shots,
  };
}

const isShown = (caption) => !caption.hidden && caption.text !== '';

/** Messages with paths in the drawn lists, by the paths in the edited lists, which have hidden layers too. */
export function listed(messages, { places, captionPlaces }) {
  const lists = { devices: places, captions: captionPlaces };
  const of = (path) => path.replace(/^(devices|captions)\[(\d+)\]/, (found, list, at) => (lists[list][at] === undefined ? found : `${list}[${lists[list][at]}]`));
  return Object.fromEntries(Object.entries(messages).map(([path, message]) => [of(path), message]));
}

function withoutHidden(all) {
  const captions = (all.captions ?? []).filter(isShown);
  const { captions: _, appearance, ...rest } = all;
  const shown = appearance?.hidden ? withoutBackground(appearance) : appearance;
  return { ...rest, ...(captions.length && { captions }), ...(shown && { appearance: shown }) };
}

function withoutBackground(appearance) {
  const kept = Object.entries(appearance).filter(([name]) => DEVICES.includes(name));
  return { ...Object.fromEntries(kept), backgroundColor: 'transparent' };
}

const bare = ({ hidden: _, shows: __, ...device }) => device;

/**
 * The body of a request for a picture, without members such as `maxPixels`. `sources` are the screenshots in
 * the form of a request, undefined for a sample. A screenshot on several devices is sent once, and referred to.
 */
export function bodyOf({ settings: all, devices: list, screenshots: shots }, sources) {
  if (!list.length) return { ...(sources[0] && { type: 'screenshot', screenshot: sources[0] }), settings: all };
  const listed = list.map((device, place) => {
    const first = shots.findIndex((one) => one && one.id === shots[place]?.id);
    const source = first >= 0 && first < place ? { type: 'same', index: first } : sources[place];
    return source ? { ...device, screenshot: source } : device;
  });
  return { type: 'scene', devices: listed, settings: all };
}

/** Puts one more device into the scene, behind the current one in the list, and chooses it. */
export function addDevice(device) {
  insert(device, null);
}

export function duplicateDevice(place) {
  if (!devices.peek().length) return insert(asScene(settings.peek()).devices[0], screenshots.peek()[0]);
  insert(devices.peek()[place], screenshots.peek()[place], place);
}

function insert(device, shot, place = current.peek()) {
  const scene = devices.peek().length ? { settings: settings.peek(), devices: devices.peek() } : begun();
  if (scene.devices.length >= MOST_DEVICES) return;
  const shots = screenshots.peek();
  replaceParts({
    settings: scene.settings,
    devices: scene.devices.toSpliced(place + 1, 0, device),
    screenshots: shots.toSpliced(place + 1, 0, shot),
  });
  chosen.value = place + 1;
}

function begun() {
  const scene = asScene(settings.peek());
  return { ...scene, settings: scene.settings.layout ? scene.settings : { ...scene.settings, layout: FIRST_LAYOUT } };
}

/** Removes a device from the scene; if a single device is left, the scene becomes a picture of it. */
export function removeDevice(place) {
  const left = devices.peek().toSpliced(place, 1);
  if (!left.length) return;
  const shots = screenshots.peek().toSpliced(place, 1);
  const [only] = left;
  const single = left.length === 1;
  replaceParts(single ? { settings: asPicture(settings.peek(), bare(only)), devices: [], screenshots: shots } : { devices: left, screenshots: shots });
  chosen.value = single || chosen.peek() === null ? null : Math.min(place, left.length - 1);
}

/** Moves a device within the list, whose order layouts follow. */
export function moveDevice(from, to) {
  if (to < 0 || to >= devices.peek().length || from === to) return;
  replaceParts({ devices: moved(devices.peek(), from, to), screenshots: moved(screenshots.peek(), from, to) });
  chosen.value = to;
}

export function hideDevice(place, hidden) {
  const { hidden: _, ...rest } = devices.peek()[place];
  replaceParts({ devices: devices.peek().with(place, hidden ? { ...rest, hidden } : rest) });
}

/** A copy of a list with one item moved. */
export function moved(list, from, to) {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
}

