// A film of the picture: the recording on its screen, the motion, and the file.
import { html, useState } from '../html.js';
import { chooseFiles } from '../browser/files.js';
import { Button } from '../components/button.js';
import { Code } from '../components/code.js';
import { useDraft } from '../components/draft.js';
import { Field } from '../components/field.js';
import { Segmented } from '../components/segmented.js';
import { Select } from '../components/select.js';
import { Switch } from '../components/switch.js';
import { cancelFilm, exportFilm, filmFaults, job } from '../server/film.js';
import { leaveRecording, takeOwnRecording, takeRecording } from '../server/recordings.js';
import { changeFilm, changeShown, duration, filmValue, keyframe, keyframes, ownRecordings, recording, shownBy, shownByEach, shownValue } from '../state/film.js';
import { EASINGS, MOVES } from '../state/moves.js';
import { deviceName } from '../state/picture.js';
import { devices, film, screenshots, settings } from '../state/store.js';
import { hasLaptop } from '../state/transform.js';
import { command } from '../snippets/film.js';

const RATES = [24, 25, 30, 50, 60].map((fps) => ({ value: fps, label: `${fps} a second` }));
const AFTER = [['hold', 'Its last frame'], ['repeat', 'Itself again'], ['bounce', 'Itself backwards']].map(([value, label]) => ({ value, label }));
const FORMATS = [['mp4', 'MP4'], ['webm', 'WebM'], ['mov', 'MOV (ProRes)'], ['gif', 'GIF'], ['webp', 'WebP'], ['apng', 'APNG'], ['frames', 'PNG files']].map(([value, label]) => ({ value, label }));
const NO_PLAYBACK = { start: undefined, end: undefined, speed: undefined, after: undefined };
const WITH_QUALITY = ['mp4', 'webm', 'gif', 'webp'];
const EASES = [{ value: undefined, label: 'As usual' }, ...EASINGS.map((name) => ({ value: name, label: name }))];

export function FilmPanel() {
  const general = filmFaults.value[''];
  return html`<div class="stack">
    <${Recording} />
    <${Motion} />
    <${File} />
    ${general && html`<p class="field-fault" role="alert">${general}</p>`}
    <${Unplaced} />
    <${Export} />
    <${Command} />
  </div>`;
}

// The faults of the film's settings, by the fields of this panel.
const SHOWN = /^(motion$|motion\.(move|keyframes|duration|fps|shutterAngle|seamless)|(devices\[\d+\]\.)?recording\.(start|end|speed|after)|export\.(format|quality|alpha))/;

function Unplaced() {
  const left = Object.entries(filmFaults.value).filter(([path]) => path && !SHOWN.test(path));
  return left.map(([path, message]) => html`<p class="field-fault" role="alert" key=${path}><code>${path}</code> ${message}</p>`);
}

const faultAt = (path) => Object.entries(filmFaults.value).find(([one]) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`))?.[1];

const FILM = { value: filmValue, change: changeFilm, at: '' };

// The playback options of a device's own recording, in the form of `FILM`.
const ofDevice = (place) => ({
  value: (path) => shownValue(place, memberOf(path)),
  change: (changes, step = `${place} ${Object.keys(changes)}`) => changeShown(place, Object.fromEntries(Object.entries(changes).map(([path, one]) => [memberOf(path), one])), step),
  at: `devices[${place}].`,
});

const memberOf = (path) => path.split('.').at(-1);

function Amount({ of = FILM, path, label, hint, usual, unit = '', step = 'any', minimum, maximum }) {
  const set = (event) => of.change({ [path]: event.target.value === '' ? undefined : Number(event.target.value) });
  const typed = useDraft(of.value(path) ?? '', set);
  return html`<${Field} label=${label} hint=${hint} fault=${faultAt(of.at + path)}>
    ${({ id, describedBy, invalid }) => html`<span class="number">
      <input class="number-input" type="number" id=${id} step=${step} min=${minimum} max=${maximum} placeholder=${usual} aria-describedby=${describedBy} aria-invalid=${invalid} ...${typed} />
      <span class="number-unit">${unit}</span>
    </span>`}
  <//>`;
}

function Choice({ of = FILM, path, label, options }) {
  return html`<${Field} label=${label} fault=${faultAt(of.at + path)}>
    ${(control) => html`<${Select} ...${control} options=${options} value=${of.value(path)} onChange=${(next) => of.change({ [path]: next }, null)} />`}
  <//>`;
}

function Flag({ path, label }) {
  return html`<${Field} label=${label} inline fault=${faultAt(path)}>
    ${(control) => html`<${Switch} ...${control} checked=${filmValue(path)} onChange=${(on) => changeFilm({ [path]: on }, null)} />`}
  <//>`;
}

function Recording() {
  const shown = recording.value;
  const scene = devices.value.length > 1;
  return html`<section class="field" aria-label="Recording">
    <h3>Recording</h3>
    ${scene && shown && html`<p class="field-hint">Devices without a recording of their own show this one.</p>`}
    <p class="soft">${shown ? html`<b>${shown.name}</b> ${sizeOf(shown)}` : scene ? 'None: devices show their screenshots.' : 'None: the screenshot is shown.'}</p>
    <${Source} label=${shown ? 'Replace…' : 'Choose a recording…'} take=${takeRecording} fault=${faultAt('recording.src')}>
      ${shown && html`<${Button} onClick=${leaveRecording}>Use the screenshot${scene && 's'}<//>`}
    <//>
    ${shown && html`<${Playback} shown=${shown} />`}
    ${scene && devices.value.map((_, place) => html`<${OwnRecording} key=${place} place=${place} />`)}
  </section>`;
}

const sizeOf = ({ width, height, durationMs }) => `${width} × ${height}, ${Math.round(durationMs / 100) / 10} s`;

// The button that chooses a recording's file, with `children` beside it.
function Source({ label, name, take, fault: told, children }) {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const taken = async ([file]) => {
    setBusy(true);
    try {
      await take(file, file.name);
      setFault('');
    } catch (error) {
      setFault(error.details?.[0]?.message ?? error.message);
    }
    setBusy(false);
  };
  const choose = () => chooseFiles('video/*,image/gif,image/apng,image/webp', taken);
  return html`<div class="row">
      <${Button} icon="folder" label=${name && `${label} ${name}`} disabled=${busy} onClick=${choose}>${busy ? 'Uploading…' : label}<//>
      ${children}
    </div>
    ${(fault || told) && html`<p class="field-fault" role="alert">${fault || told}</p>`}`;
}

function Playback({ of = FILM, shown }) {
  return html`<div class="pair">
    <${Amount} of=${of} path="recording.start" label="From" unit="s" minimum=${0} />
    <${Amount} of=${of} path="recording.end" label="To" unit="s" usual=${shown.durationMs / 1000} minimum=${0} />
    <${Amount} of=${of} path="recording.speed" label="Speed" unit="×" minimum=${0.1} maximum=${20} />
    <${Choice} of=${of} path="recording.after" label="After its end" options=${AFTER} />
  </div>`;
}

// What a device of a scene shows: the film's recording, its screenshot, or a recording of its own.
function OwnRecording({ place }) {
  const { recording: key, screenshot } = shownBy(devices.value[place]);
  const own = ownRecordings.value[key];
  const options = [
    ...(recording.value ? [{ value: 'film', label: 'The recording above' }] : []),
    { value: 'screenshot', label: 'Its screenshot' },
    ...(own ? [{ value: 'own', label: own.name }] : []),
  ];
  const choose = (next) => changeShown(place, { ...NO_PLAYBACK, recording: undefined, screenshot: next === 'screenshot' && recording.value ? true : undefined });
  const name = `${place + 1}. ${deviceName(place)}`;
  return html`<div class="field set-part">
    <${Field} label=${name}>
      ${(control) => html`<${Select} ...${control} options=${options} value=${own ? 'own' : screenshot ? 'screenshot' : 'film'} onChange=${(next) => next !== 'own' && choose(next)} />`}
    <//>
    <${Source} label=${own ? 'Replace…' : 'Its own recording…'} name=${name} take=${(file, title) => takeOwnRecording(place, file, title)} fault=${faultAt(`devices[${place}].recording.src`)} />
    ${own && html`<p class="soft">${sizeOf(own)}</p><${Playback} of=${ofDevice(place)} shown=${own} />`}
  </div>`;
}

function Motion() {
  const listed = keyframes().length > 0;
  const [open, setOpen] = useState(listed);
  const choose = (kind) => {
    setOpen(kind === 'keyframes');
    if (kind === 'move' && listed) changeFilm({ 'motion.keyframes': undefined }, null);
  };
  const kind = listed || open ? 'keyframes' : 'move';
  return html`<section class="stack set-part" aria-label="Motion">
    <h3>Motion</h3>
    <${Segmented} label="What moves" value=${kind} onChange=${choose} options=${[{ value: 'move', label: 'A move' }, { value: 'keyframes', label: 'Keyframes' }]} />
    ${kind === 'move' ? html`<${Move} />` : html`<${Keyframes} />`}
    <div class="pair">
      <${Amount} path="motion.duration" label="Length" unit="s" usual=${duration()} minimum=${0.1} maximum=${60} />
      <${Choice} path="motion.fps" label="Frames" options=${RATES} />
    </div>
    <${Amount} path="motion.shutterAngle" label="Shutter angle" unit="°" minimum=${0} maximum=${360} hint="Motion blur: 180° as in cinema, 0° is none." />
    ${filmFaults.value.motion && html`<p class="field-fault" role="alert">${filmFaults.value.motion}</p>`}
    <${Flag} path="motion.seamless" label="The end leads back to the start" />
  </section>`;
}

function Move() {
  const name = filmValue('motion.move.name');
  const { amount, minimum, maximum, unit } = MOVES.find((one) => one.name === name) ?? MOVES[0];
  const options = MOVES.filter((one) => one.name !== 'lid-open' || hasLaptop.value).map((one) => ({ value: one.name, label: one.label }));
  return html`<${Field} label="Move" fault=${faultAt('motion.move')}>
      ${(control) => html`<${Select} ...${control} options=${options} value=${name} onChange=${(next) => changeFilm({ 'motion.move': next === 'still' ? undefined : { name: next } }, null)} />`}
    <//>
    ${name !== 'still' && html`<div class="pair">
      ${amount !== null && html`<${Amount} path="motion.move.amount" label="How far" unit=${unit} usual=${amount} minimum=${minimum} maximum=${maximum} />`}
      ${name !== 'scroll' && html`<${Choice} path="motion.move.ease" label="Easing" options=${EASES} />`}
    </div>`}`;
}

function Keyframes() {
  const at = keyframe.value;
  const one = keyframes()[at];
  const faulty = faultAt('motion.keyframes');
  return html`${!one && html`<p class="field-hint">Pose the device, move the time line’s head, and add a keyframe. Choose one there to see and change it.</p>`}
    ${faulty && html`<p class="field-fault" role="alert">${faulty}</p>`}
    ${one && html`<div class="pair">
      <${Choice} path="motion.keyframes[${at}].ease" label="Easing to the next" options=${EASES} />
      ${hasLaptop.value && html`<${Amount} path="motion.keyframes[${at}].lid" label="Lid" unit="°" minimum=${5} maximum=${180} />`}
    </div>`}`;
}

function File() {
  const format = filmValue('export.format');
  return html`<section class="stack set-part" aria-label="File">
    <h3>File</h3>
    <div class="pair">
      <${Choice} path="export.format" label="Format" options=${FORMATS} />
      ${WITH_QUALITY.includes(format) && html`<${Amount} path="export.quality" label="Quality" minimum=${10} maximum=${100} step=${1} />`}
    </div>
    ${format !== 'mp4' && html`<${Flag} path="export.alpha" label="Keep transparency" />`}
  </section>`;
}

function Export() {
  const now = job.value;
  if (!now) return html`<${Button} kind="primary" icon="download" onClick=${exportFilm}>Make and download the film<//>`;
  const left = now.etaMs ? `, about ${Math.ceil(now.etaMs / 1000)} s left` : '';
  return html`<div class="field">
    <progress class="progress" value=${now.frame ?? 0} max=${now.frames ?? 1} aria-label="Frames made" />
    <p class="field-hint" role="status">${now.status === 'running' ? `${now.frame} of ${now.frames} frames${left}` : 'Waiting for its turn'}</p>
    <${Button} onClick=${cancelFilm}>Cancel<//>
  </div>`;
}

function Command() {
  return html`<details class="more">
    <summary>The film as a command</summary>
    <${Code} title="the command" text=${command(film.value, { settings: settings.value, devices: devices.value, screenshots: screenshots.value }, recording.value, shownByEach.value, ownRecordings.value)} />
  </details>`;
}
