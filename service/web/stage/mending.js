// Warnings about the picture in short, and buttons that mend them.
import { isObject } from '../state/paths.js';

const NAMES = {
  UPSCALED: 'Enlarged',
  CROPPED: 'Cropped',
  LETTERBOXED: 'Bars',
  STRETCHED: 'Stretched',
  TRANSPARENT_MARGIN: 'Margin',
  OFF_CANVAS: 'Off the canvas',
};

/** `{place, about}` of a warning: the place in the list of the device that it names, or null, and the warning without that. */
export function ofDevice(warning, places) {
  const [named, at] = /^devices\[(\d+)\]: /.exec(warning.message) ?? [];
  if (!named) return { place: null, about: warning };
  return { place: places[Number(at)] ?? null, about: { ...warning, message: warning.message.slice(named.length) } };
}

/** A warning in a word or two, with its amount if the message has one. */
export function short({ code, message }) {
  const name = NAMES[code];
  if (!name) return '';
  const amount = /\d+(?:\.\d+)? ?%|\d+\.\d+ times/.exec(message)?.[0].replace(' times', '×').replace(/ ?%/, ' %');
  return [name, amount].filter(Boolean).join(' ');
}

/** The finding in a message, without the advice if there are buttons for that. */
export function finding({ message }, mended) {
  const [found] = message.split('; ');
  const text = mended ? found : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Changes that mend a warning, `{label, changes}`; `value` reads settings, `deviceOf` the catalogue. */
export function mends(warning, value, deviceOf) {
  const fit = (label, to) => ({ label, changes: { 'screen.fit': to } });
  switch (warning.code) {
    case 'CROPPED':
      return [...devices(warning, value, deviceOf), fit('Show all of it', 'contain')];
    case 'TRANSPARENT_MARGIN':
      return devices(warning, value, deviceOf);
    case 'LETTERBOXED':
      return [...devices(warning, value, deviceOf), fit('Fill the screen', 'cover')];
    case 'STRETCHED':
      return [fit('Keep its shape', 'cover')];
    case 'OFF_CANVAS':
      return [{ label: 'Bring it back', changes: Object.fromEntries(['scale', 'positionX', 'positionY'].map((name) => [`deviceTransform.${name}`, undefined])) }];
    case 'COLOR_UNUSED':
      return [{ label: 'Use its own colour', changes: { 'appearance.deviceColor': undefined } }];
    default:
      return [];
  }
}

// Offers the device that the warning names: the one that `auto` takes, or one of the catalogue; or else `auto`.
function devices(warning, value, deviceOf) {
  const suited = /\bdevice auto fits, and takes ([^;]+)/.exec(warning.message)?.[1];
  if (suited) return [{ label: `Use ${deviceOf(suited)?.name ?? suited}`, changes: { device: 'auto' } }];
  const named = deviceOf(/\bdevice ([\w-]+)/.exec(warning.message)?.[1]);
  if (named && named.id !== value('device')) return [{ label: `Use ${named.name}`, changes: { device: named.id } }];
  const own = value('device');
  return own === 'auto' || isObject(own) ? [] : [{ label: 'Choose a device of its shape', changes: { device: 'auto' } }];
}
