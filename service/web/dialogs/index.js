// The dialogs by id; `dialog.value = 'shortcuts'` of `state/ui.js` opens one. To add one, write it and a line here.
import { KeyDialog } from './key.js';
import { ShortcutsDialog } from './shortcuts.js';

export const DIALOGS = { key: KeyDialog, shortcuts: ShortcutsDialog };
