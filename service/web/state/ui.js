// The present state of the page itself; not part of the picture, and not changed by undo.
import { effect, signal } from '../html.js';
import { read, write } from '../browser/preferences.js';

/** The effect of dragging on the stage: `turn`, `move`, `size` or `roll` to the device, or `pan` to the view of it. */
export const tool = signal('turn');

/** The open panel's id, see `panels/index.js`. */
export const panel = signal(read('panel') ?? 'screenshot');

/** Whether the panel is shown beside its tabs. */
export const panelOpen = signal(read('panel-open') !== 'no');

/** `auto`, `light` or `dark`. */
export const theme = signal(read('theme') ?? 'auto');

/** The open dialog's id, see `dialogs/index.js`, or null. */
export const dialog = signal(null);

/** Whether the first-run hint has been seen. */
export const hinted = signal(read('hinted') === 'yes');

/** Whether single-key shortcuts work; speech input, for example, can trigger them by mistake. */
export const singleKeys = signal(read('single-keys') !== 'no');

export function keepPreferences() {
  effect(() => {
    write('theme', theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
  effect(() => write('panel', panel.value));
  effect(() => write('panel-open', panelOpen.value ? 'yes' : 'no'));
  effect(() => write('single-keys', singleKeys.value ? 'yes' : 'no'));
  effect(() => hinted.value && write('hinted', 'yes'));
}
