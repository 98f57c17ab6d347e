// The page's own colours: as the system, light, or dark.
import { html } from '../html.js';
import { theme } from '../state/ui.js';
import { Button } from './button.js';

const THEMES = ['auto', 'light', 'dark'];
const LABELS = { auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };

export function ThemeButton() {
  const next = () => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]);
  return html`<${Button} kind="quiet" icon=${theme.value} label=${LABELS[theme.value]} onClick=${next} />`;
}
