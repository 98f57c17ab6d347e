// Several screenshots with the present look, each on the device that suits it, downloaded as one ZIP.
import { html } from '../html.js';
import { chooseFiles } from '../browser/files.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Select } from '../components/select.js';
import { addJobs, batch, clearJobs, jobs, makeBatch, removeJob, setDevice, stopBatch } from '../server/batch.js';
import { devices } from '../server/catalogue.js';
import { saveFile } from '../server/download.js';
import { finding } from '../stage/mending.js';
import { CATEGORIES, inOrder } from './order.js';

export function Batch() {
  const list = jobs.value;
  const make = async () => {
    const archive = await makeBatch();
    if (archive) saveFile(archive, 'mockups.zip');
  };
  const choose = () => chooseFiles('image/*', addJobs, { multiple: true });
  const { done, count, waiting } = batch.value ?? {};
  return html`<section class="field batch" aria-label="Several screenshots">
    <h3>Several screenshots</h3>
    <p class="field-hint">All with the present look, each on a device of its own if you like, as one ZIP.</p>
    ${list.length > 0 &&
    html`<ul class="list" aria-label="Screenshots">${list.map((job) => html`<${Job} key=${job.id} job=${job} />`)}</ul>`}
    ${batch.value
      ? html`<progress class="progress" value=${done} max=${count} aria-label="Pictures made" />
        <p class="field-hint" role="status">${waiting ? `The server is busy; trying again in ${waiting} s` : `${done + 1} of ${count}`}</p>
        <${Button} onClick=${stopBatch}>Stop<//>`
      : html`<${Button} icon="folder" onClick=${choose}>${list.length ? 'Add screenshots…' : 'Choose screenshots…'}<//>
        ${list.length > 0 &&
        html`<div class="row">
          <${Button} onClick=${clearJobs}>Clear<//>
          <${Button} kind="primary" onClick=${make}>Make ${list.length === 1 ? '1 picture' : `${list.length} pictures`}<//>
        </div>`}`}
  </section>`;
}

const MARKS = { made: 'check', failed: 'warning', working: 'clock', waiting: 'screenshot' };
const STATES = { made: 'Made: ', failed: 'Failed: ', working: 'Being made: ', waiting: '' };

function Job({ job: { id, file, device, state, message, warnings } }) {
  const busy = batch.value !== null;
  return html`<li class="job">
    <p class="job-head">
      <${Icon} name=${MARKS[state]} size=${15} />
      <span class="list-name" title=${file.name}><span class="visually-hidden">${STATES[state]}</span>${file.name}</span>
      ${!busy && html`<${Button} kind="quiet" small icon="close" label="Leave out ${file.name}" onClick=${() => removeJob(id)} />`}
    </p>
    ${!busy && html`<${Select} label="Device for ${file.name}" options=${choices()} value=${device} onChange=${(next) => setDevice(id, next)} />`}
    ${message && html`<p class="field-fault" role="alert">${message}</p>`}
    ${warnings.map((warning) => html`<p class="job-warning" key=${warning.code}>${finding(warning, true)}</p>`)}
  </li>`;
}

function choices() {
  const of = (category) => inOrder(devices.value.filter((device) => device.category === category));
  const groups = Object.entries(CATEGORIES).map(([category, label]) => ({ label, options: of(category).map(({ id, name }) => ({ value: id, label: name })) }));
  return [{ value: undefined, label: 'As on the stage' }, { value: 'auto', label: 'Chosen to suit it' }, ...groups.filter(({ options }) => options.length)];
}
