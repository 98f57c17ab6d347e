// Captions over the picture: clicked to be typed in place, dragged, and moved with the arrow keys. The server draws them;
// their letters are only seen here while they are typed.
import { html, useEffect, useRef } from '../html.js';
import { noteInput, picture } from '../server/live.js';
import { caption, captions, chooseCaption, dragged, laid, LONGEST, removeCaption, textOf, typeText, typing } from '../state/captions.js';
import { begin, change, commit, settings, value } from '../state/store.js';
import { place } from '../state/zoom.js';

const STILL = 4; // CSS px; a press that moves no farther is a click
const STEP = [0.01, 0.002]; // shares of the canvas for an arrow key, without and with Shift

export function Captions() {
  return captions.value.map((one, at) => (one.hidden ? null : html`<${Caption} key=${at} one=${one} at=${at} />`));
}

function Caption({ one, at }) {
  const element = useRef(null);
  const { width, height } = place.value;
  const own = (path) => value(`captions[${at}].${path}`);
  const text = textOf(one, settings.value.language);
  const typed = typing.value === at;
  const alone = typed || picture.value?.of.typed === at;
  useEffect(() => {
    if (typed && !element.current.textContent) start(element.current, at, text);
  }, [typed]);
  const back = own('background.color') && one.background;
  const [padding, radius] = back ? [own('background.padding'), own('background.radius')] : [0, 0];
  const style = {
    ...laid(own, width, height),
    ...(back && { '--padding': `${padding}em`, '--radius': `${radius}em` }),
    ...(back && alone && { '--fill': own('background.color') }),
  };
  return html`<div
    ref=${element}
    class="caption ${caption.value === at ? 'caption-chosen' : ''} ${alone ? 'caption-shown' : ''}"
    style=${style}
    dir=${own('direction')}
    data-control
    tabindex="0"
    role=${typed ? 'textbox' : 'button'}
    aria-multiline=${typed ? 'true' : undefined}
    aria-label=${typed ? 'Text of the caption' : `Caption ${at + 1}: ${text}`}
    aria-pressed=${typed ? undefined : String(caption.value === at)}
    contenteditable=${typed ? 'plaintext-only' : undefined}
    onFocus=${() => chooseCaption(at)}
    onPointerDown=${(event) => !typed && press(event, at, own, text)}
    onKeyDown=${(event) => (typed ? leave(event, at) : step(event, at, own, text))}
    onInput=${(event) => (noteInput(event.timeStamp), typeText(at, read(event.target)))}
    onBlur=${(event) => typed && end(event.target, at)}
  >${typed ? undefined : text}</div>`;
}

// Change the element at once, as the next key may be pressed before anything is drawn again.
function start(element, at, text) {
  element.setAttribute('contenteditable', 'plaintext-only');
  element.textContent = text;
  element.focus();
  getSelection().selectAllChildren(element);
  typing.value = at;
}

// The typed text, without the line break that browsers keep at the end.
const read = (element) => element.innerText.replace(/\n$/, '').slice(0, LONGEST);

function end(element, at) {
  element.textContent = ''; // the typed text is drawn again
  typing.value = null;
  if (!textOf(captions.peek()[at] ?? {}, settings.peek().language).trim()) removeCaption(at);
}

function leave(event, at) {
  event.stopPropagation();
  if (event.key === 'Escape') end(event.target, at);
}

function press(event, at, own, text) {
  if (event.button !== 0) return;
  const element = event.currentTarget;
  const { width, height } = place.peek();
  const from = [own('x'), own('y')];
  let moved = false;
  const move = ({ clientX, clientY, altKey, timeStamp }) => {
    const by = [clientX - event.clientX, clientY - event.clientY];
    if (!moved && Math.hypot(...by) <= STILL) return;
    if (!moved) begin();
    moved = true;
    noteInput(timeStamp);
    put(at, dragged(from, [by[0] / width, by[1] / height], altKey));
  };
  const stop = (last) => {
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', stop);
    element.removeEventListener('pointercancel', stop);
    if (moved) commit();
    else if (last.type === 'pointerup') start(element, at, text);
  };
  chooseCaption(at);
  element.setPointerCapture(event.pointerId);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', stop);
  element.addEventListener('pointercancel', stop);
}

function step(event, at, own, text) {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.key === 'Enter') start(event.target, at, text);
  else if (by) put(at, dragged([own('x'), own('y')], by.map((one) => one * STEP[event.shiftKey ? 1 : 0]), true));
  else return;
  event.preventDefault();
}

function put(at, { x, y }) {
  change({ [`captions[${at}].x`]: x, [`captions[${at}].y`]: y }, `caption ${at}`);
}
