// The time line of a film: a playhead, which shows the frame at its time, the keyframes, and a loop of the
// film.
import { effect, html, useEffect, useRef, useState } from '../html.js';
import { Button } from '../components/button.js';
import { forgetWanted, stills, want } from '../server/film.js';
import { chooseKeyframe, duration, filmValue, keyframe, keyframes, moveKeyframe, posed, removeKeyframe, setKeyframe, spreadTimes, time } from '../state/film.js';
import { begin, commit } from '../state/store.js';
import { panel, panelOpen } from '../state/ui.js';

const LOOP_FPS = 8; // frame rate of a preview
const MOST = 96; // the most stills of a preview
const STILL = 3; // CSS px; a press that moves no farther is a click

/** Whether the time line is shown. */
export const isFilm = () => panel.value === 'film' && panelOpen.value;

export function Timeline() {
  const [playing, setPlaying] = useState(false);
  const length = duration();
  const fps = filmValue('motion.fps');
  const at = time.value ?? 0;
  useEffect(() => {
    time.value ??= 0;
    return () => {
      time.value = null;
      keyframe.value = null;
      forgetWanted();
    };
  }, []);
  useEffect(() => (playing ? play() : undefined), [playing]);
  const scrub = (next) => {
    setPlaying(false);
    keyframe.value = null;
    time.value = Math.min(length, Math.max(0, Math.round(next * fps) / fps));
  };
  const list = keyframes();
  const here = list.findIndex((one) => Math.abs(one.at - at) < 0.5 / fps);
  return html`<div class="timeline" role="group" aria-label="Time line" data-control>
    <div class="timeline-head">
      <${Button} kind="quiet" small icon=${playing ? 'pause' : 'play'} label=${playing ? 'Pause' : 'Play a preview'} onClick=${() => setPlaying(!playing)} />
      <output class="timeline-time">${at.toFixed(2)} / ${length.toFixed(2)} s</output>
      <span class="timeline-space" />
      <${Button} small icon="diamond" onClick=${() => setKeyframe(at)}>${here < 0 ? 'Add a keyframe' : 'Update the keyframe'}<//>
      ${keyframe.value !== null && html`<${Button} kind="quiet" small icon="trash" label="Remove the keyframe" onClick=${() => removeKeyframe(keyframe.value)} />`}
    </div>
    <div class="timeline-track">
      <input class="timeline-range" type="range" min="0" max=${length} step=${1 / fps} value=${at} style=${{ '--share': length ? at / length : 0 }}
        aria-label="Time" aria-valuetext="${at.toFixed(2)} seconds" onInput=${(event) => scrub(Number(event.target.value))} />
      <div class="timeline-marks">
        ${list.map((one, index) => html`<${Mark} key=${index} one=${one} index=${index} length=${length} fps=${fps} />`)}
      </div>
    </div>
  </div>`;
}

// Plays the film's stills in a loop, and waits for those that have not arrived yet.
function play() {
  const length = duration();
  const times = spreadTimes(length, Math.min(MOST, Math.max(2, Math.round(length * LOOP_FPS))));
  let place = Math.max(0, times.findIndex((one) => one >= (time.peek() ?? 0)));
  const asked = effect(() => void (stills.value && want(times.filter((one) => stills.value[one] === undefined))));
  const timer = setInterval(() => {
    const next = (place + 1) % times.length;
    if (stills.peek()[times[next]] === undefined) return; // it has not arrived yet
    place = next;
    time.value = times[place];
  }, (length * 1000) / times.length);
  return () => {
    asked();
    clearInterval(timer);
    forgetWanted();
  };
}

// A keyframe: chosen by a click, dragged in time, and moved with the arrow keys by a frame.
function Mark({ one, index, length, fps }) {
  const button = useRef(null);
  const press = (event) => {
    const track = button.current.parentElement.getBoundingClientRect();
    let dragged = false;
    const move = ({ clientX }) => {
      if (!dragged && Math.abs(clientX - event.clientX) <= STILL) return;
      if (!dragged) begin();
      dragged = true;
      moveKeyframe(index, Math.round((((clientX - track.left) / track.width) * length) * fps) / fps, `keyframe ${index}`);
    };
    const stop = () => {
      for (const [name, listener] of listeners) button.current?.removeEventListener(name, listener);
      if (dragged) commit();
    };
    const listeners = [['pointermove', move], ['pointerup', stop], ['pointercancel', stop]];
    button.current.setPointerCapture(event.pointerId);
    for (const [name, listener] of listeners) button.current.addEventListener(name, listener);
  };
  const step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Delete') removeKeyframe(index);
    else if (by) moveKeyframe(index, one.at + by / fps, `keyframe ${index}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<button type="button" ref=${button} class="timeline-mark" style=${{ left: `${length ? (one.at / length) * 100 : 0}%` }}
    aria-label="Keyframe at ${one.at} s" aria-pressed=${String(keyframe.value === index)} data-tip="${one.at} s"
    onPointerDown=${press} onKeyDown=${step} onClick=${() => chooseKeyframe(index)} />`;
}

/** The frame of the time that is shown, over the picture at rest. */
export function Still() {
  const last = useRef(null);
  if (!isFilm() || time.value === null || posed.value) return null;
  // Until the frame has arrived, the last one stays, so that nothing flashes.
  const known = Object.values(stills.value);
  last.current = stills.value[time.value] ?? (known.includes(last.current) ? last.current : null);
  return last.current && html`<img class="exact" src=${last.current} alt="" draggable=${false} />`;
}
