// Text that is being typed: kept until it is finished, so that no other change overwrites it.
import { useState } from '../html.js';

/** Attributes of an input that shows `present` and calls `take` with the event once something else has been typed. */
export function useDraft(present, take) {
  const [draft, setDraft] = useState(null);
  return {
    value: draft ?? present,
    onInput: (event) => setDraft(event.target.value),
    onChange: (event) => {
      setDraft(null);
      take(event);
    },
  };
}
