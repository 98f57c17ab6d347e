// A number as a slider with a field beside it. A drag of the slider is one step for undo.
import { html } from '../html.js';
import { noteInput } from '../server/live.js';
import { begin, change, commit, value } from '../state/store.js';
import { useDraft } from './draft.js';

/** `path` is the setting's; `unit` follows the number; `usual` is shown for a missing one. `id`, `describedBy` and `invalid` come from `Field`. */
export function Slider({ path, minimum, maximum, step, unit = '', usual = null, id, describedBy, invalid }) {
  const number = value(path) ?? usual ?? minimum;
  const set = (event) => {
    noteInput(event.timeStamp);
    if (event.target.value !== '') change({ [path]: Number(event.target.value) });
  };
  const typed = useDraft(number, set);
  const share = (Math.min(maximum, Math.max(minimum, number)) - minimum) / (maximum - minimum);
  return html`<div class="slider">
    <input
      class="slider-track"
      type="range"
      id=${id}
      min=${minimum}
      max=${maximum}
      step=${step}
      value=${number}
      style=${{ '--share': share }}
      aria-describedby=${describedBy}
      onPointerDown=${begin}
      onPointerUp=${commit}
      onPointerCancel=${commit}
      onInput=${set}
    />
    <span class="number">
      <input
        class="number-input"
        type="number"
        min=${minimum}
        max=${maximum}
        step="any"
        aria-label="Number"
        aria-labelledby=${id && `${id}-label`}
        aria-invalid=${invalid}
        ...${typed}
      />
      ${unit && html`<span class="number-unit">${unit}</span>`}
    </span>
  </div>`;
}
