// Starts the page: restores what was kept and loads the lists; from then on, the picture follows the settings.
import { effect, html, render } from './html.js';
import { App } from './app.js';
import { keepBackdrop } from './server/backdrops.js';
import { loadCatalogue } from './server/catalogue.js';
import { followTime } from './server/film.js';
import { startLive } from './server/live.js';
import { keepRecordings, restoreRecordings } from './server/recordings.js';
import { keepScreenshots, restoreScreens, restoreScreenshots } from './server/screenshots.js';
import { followShape } from './server/shape.js';
import { followFragment, readFragment } from './state/fragment.js';
import { loadSchema } from './state/schema.js';
import { toast } from './state/status.js';
import { offered } from './state/key.js';
import { beginWith } from './state/store.js';
import { dialog, keepPreferences } from './state/ui.js';
import { listenForKeys } from './shortcuts.js';

keepPreferences();
const found = readFragment();
const root = document.getElementById('app');

async function start() {
  const lists = loadCatalogue();
  try {
    await Promise.all([loadSchema(), restoreScreenshots(), restoreRecordings()]);
    // The first picture waits for the lists only if settings may name what is in them.
    if (found) await lists;
    else lists.catch(() => toast('Devices and poses could not be loaded. Reload the page.', 'error', 60_000));
  } catch (error) {
    root.replaceChildren();
    render(html`<${Unreachable} message=${error.message} />`, root);
    return;
  }
  if (found) beginWith(found);
  await restoreScreens();
  root.replaceChildren();
  render(html`<${App} />`, root);
  followFragment();
  keepScreenshots();
  keepRecordings();
  keepBackdrop();
  listenForKeys();
  effect(() => offered.value && (dialog.value = 'key'));
  startLive();
  followShape();
  followTime();
}

function Unreachable({ message }) {
  return html`<main class="unreachable">
    <h1>The studio could not start</h1>
    <p>${message}.</p>
    <button type="button" class="button button-primary" onClick=${() => location.reload()}><span>Try again</span></button>
  </main>`;
}

start();
