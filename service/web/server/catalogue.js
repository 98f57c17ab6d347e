// The public lists: devices, poses, environments, canvas presets. Each is loaded once.
import { signal } from '../html.js';
import { getJSON } from './api.js';

export const devices = signal([]);
export const poses = signal([]);
export const environments = signal([]);
export const presets = signal([]);

export async function loadCatalogue() {
  await Promise.all([
    getJSON('/api/v1/devices').then((found) => (devices.value = found.devices)),
    getJSON('/api/v1/poses').then((found) => (poses.value = found.poses)),
    getJSON('/api/v1/environments').then((found) => (environments.value = found.environments)),
    getJSON('/api/v1/presets').then((found) => (presets.value = found.presets)),
  ]);
}

/** The catalogue's entry for a device id, undefined for `auto` and descriptions. */
export function deviceOf(id) {
  return devices.value.find((device) => device.id === id);
}
