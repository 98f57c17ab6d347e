// Starts the page: what was kept comes back, the lists are loaded, and from then on the picture follows the settings.
import { html, render } from './html.js';
import { App } from './app.js';
import { loadCatalogue } from './server/catalogue.js';
import { startLive } from './server/live.js';
import { keepScreenshot, restoreScreenshot } from './server/screenshots.js';
import { followShape } from './server/shape.js';
import { followFragment, readFragment } from './state/fragment.js';
import { loadSchema } from './state/schema.js';
import { status } from './state/status.js';
import { settings } from './state/store.js';
import { keepPreferences } from './state/ui.js';
import { listenForKeys } from './shortcuts.js';

keepPreferences();
const found = readFragment();
const root = document.getElementById('app');

async function start() {
  try {
    await Promise.all([loadSchema(), loadCatalogue(), restoreScreenshot()]);
  } catch (error) {
    status.value = { kind: 'offline', message: error.message };
    root.replaceChildren();
    render(html`<${Unreachable} message=${error.message} />`, root);
    return;
  }
  if (found) settings.value = found;
  root.replaceChildren();
  render(html`<${App} />`, root);
  followFragment();
  keepScreenshot();
  listenForKeys();
  startLive();
  followShape();
}

function Unreachable({ message }) {
  return html`<main class="unreachable">
    <h1>The studio could not start</h1>
    <p>${message}.</p>
    <button type="button" class="button button-primary" onClick=${() => location.reload()}><span>Try again</span></button>
  </main>`;
}

start();
