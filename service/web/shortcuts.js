// The keyboard: one table, read by the listener, the tooltips and the sheet of shortcuts.
import { caption, duplicateCaption, removeCaption } from './state/captions.js';
import { duplicateDevice, removeDevice } from './state/scene.js';
import { canRedo, canUndo, chosen, devices, redo, undo } from './state/store.js';
import { resetTransform } from './state/transform.js';
import { dialog, panelOpen, singleKeys, tool } from './state/ui.js';
import { toggleZoom, zoomStep, zoomTo } from './state/zoom.js';
import { copyPicture, downloadPicture } from './server/download.js';
import { chooseFile } from './stage/sources.js';

/** `keys` is how it is written; `Ctrl` is also the command key. `run` is left out where the stage itself listens. */
export const SHORTCUTS = [
  { group: 'Tools', keys: 'T', text: 'Turn', run: () => (tool.value = 'turn') },
  { group: 'Tools', keys: 'M', text: 'Move', run: () => (tool.value = 'move') },
  { group: 'Tools', keys: 'S', text: 'Size', run: () => (tool.value = 'size') },
  { group: 'Tools', keys: 'R', text: 'Roll', run: () => (tool.value = 'roll') },
  { group: 'Tools', keys: 'H', text: 'Pan', run: () => (tool.value = 'pan') },
  { group: 'Tools', keys: '0', text: 'Reset the device', run: resetTransform },
  { group: 'On the stage', keys: 'Arrows', text: 'Turn by 5°; with Shift by 1°' },
  { group: 'On the stage', keys: 'Drag', text: 'Turn; Alt finely, Ctrl in steps of 15°' },
  { group: 'On the stage', keys: 'Shift Drag', text: 'Move' },
  { group: 'On the stage', keys: 'Space Drag', text: 'Pan' },
  { group: 'On the stage', keys: 'Wheel', text: 'Size, once the stage has been clicked; pan in a zoomed picture' },
  { group: 'On the stage', keys: 'Ctrl Wheel', text: 'Zoom' },
  { group: 'On the stage', keys: 'Enter', text: 'Type the caption that has the focus; Escape ends it' },
  { group: 'On the stage', keys: 'Double click', text: 'Reset the device' },
  { group: 'Edit', keys: 'Ctrl Z', text: 'Undo', run: () => canUndo.peek() && undo() },
  { group: 'Edit', keys: 'Ctrl Shift Z', text: 'Redo', run: () => canRedo.peek() && redo() },
  { group: 'Edit', keys: 'N', text: 'Choose the next device of a scene', run: chooseNext },
  { group: 'Edit', keys: 'Ctrl D', text: 'Duplicate what is chosen', run: duplicateChosen },
  { group: 'Edit', keys: 'Delete', text: 'Remove what is chosen', run: removeChosen },
  { group: 'Edit', keys: 'Ctrl V', text: 'Paste a screenshot' },
  { group: 'File', keys: 'O', text: 'Choose a screenshot', run: chooseFile },
  { group: 'File', keys: 'Ctrl S', text: 'Download the picture', run: downloadPicture },
  { group: 'File', keys: 'C', text: 'Copy the picture', run: copyPicture },
  { group: 'View', keys: '+', text: 'Zoom in', run: () => zoomStep(1) },
  { group: 'View', keys: '-', text: 'Zoom out', run: () => zoomStep(-1) },
  { group: 'View', keys: '1', text: 'Show at 100 %, and back', run: toggleZoom },
  { group: 'View', keys: 'F', text: 'Fit the stage', run: () => zoomTo(null) },
  { group: 'View', keys: '\\', text: 'Hide or show the panel', run: () => (panelOpen.value = !panelOpen.peek()) },
  { group: 'View', keys: '?', text: 'This list', run: () => (dialog.value = 'shortcuts') },
];

function duplicateChosen() {
  if (caption.peek() === null) duplicateDevice(chosen.peek() ?? 0);
  else duplicateCaption(caption.peek());
}

function removeChosen() {
  if (caption.peek() !== null) removeCaption(caption.peek());
  else if (chosen.peek() !== null) removeDevice(chosen.peek());
}

// Chooses one device after another, and then the whole scene again.
function chooseNext() {
  const next = chosen.peek() === null ? 0 : chosen.peek() + 1;
  chosen.value = next < devices.peek().length ? next : null;
}

const ACTIONS = new Map(SHORTCUTS.filter(({ run }) => run).map(({ keys, run }) => [keys.toLowerCase(), run]));
ACTIONS.set('ctrl y', redo);
ACTIONS.set('=', ACTIONS.get('+')); // without Shift

export function listenForKeys() {
  addEventListener('keydown', (event) => {
    // AltGr, which some systems report as Ctrl and Alt, types what other keyboards have a key for.
    const typed = event.getModifierState('AltGraph');
    if (event.defaultPrevented || (event.altKey && !typed) || document.querySelector('dialog[open]')) return;
    const ctrl = !typed && (event.ctrlKey || event.metaKey);
    if (!ctrl && !singleKeys.peek()) return;
    if (isTyping(event.target) && !(ctrl && event.key.toLowerCase() === 's')) return;
    // Shift is part of `?`, and only named beside Ctrl.
    const name = [ctrl && 'ctrl', ctrl && event.shiftKey && 'shift', event.key.toLowerCase()].filter(Boolean).join(' ');
    const run = ACTIONS.get(name);
    if (!run || (event.repeat && !ctrl)) return;
    event.preventDefault();
    run();
  });
}

function isTyping(element) {
  return element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
    (element.tagName === 'INPUT' && !/^(range|checkbox|radio|button|file)$/.test(element.type));
}
