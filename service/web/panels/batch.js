// Several screenshots with the present look, downloaded as one ZIP.
import { html } from '../html.js';
import { Button } from '../components/button.js';
import { batch, failures, makeBatch, stopBatch } from '../server/batch.js';
import { saveFile } from '../server/download.js';

export function Batch() {
  const begin = async (files) => {
    if (!files.length) return;
    const archive = await makeBatch(files);
    if (archive) saveFile(archive, 'mockups.zip');
  };
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = 'image/*';
    input.multiple = true;
    input.onchange = () => begin([...input.files]);
    input.click();
  };
  const { done, count, name, waiting } = batch.value ?? {};
  return html`<section class="field batch" aria-label="Several screenshots">
    <h3>Several screenshots</h3>
    ${batch.value
      ? html`<progress class="progress" value=${done} max=${count} aria-label="Pictures made" />
        <p class="field-hint" role="status">${waiting ? `The server is busy; trying again in ${waiting} s` : `${done + 1} of ${count}: ${name}`}</p>
        <${Button} onClick=${stopBatch}>Stop<//>`
      : html`<p class="field-hint">All with the present settings, as one ZIP.</p>
        <${Button} icon="folder" onClick=${choose}>Choose screenshots…<//>`}
    ${failures.value.length > 0 &&
    html`<ul class="list" role="alert">
      ${failures.value.map((one) => html`<li key=${one.name} class="field-fault">${one.name}: ${one.message}</li>`)}
    </ul>`}
  </section>`;
}
