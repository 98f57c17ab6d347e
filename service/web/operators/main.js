// Starts the operators' page: figures are requested at intervals, and the page shows them.
import { html, render } from '../html.js';
import { keepPreferences } from '../state/ui.js';
import { followFigures } from './history.js';
import { Page } from './page.js';

keepPreferences();
const root = document.getElementById('app');
root.replaceChildren();
render(html`<${Page} />`, root);
followFigures();
