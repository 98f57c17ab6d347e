// The libraries, in one place: `html` makes Preact elements from templates, signals hold state.
import { Fragment, h, render } from './vendor/preact.js';
import htm from './vendor/htm.js';

export { Fragment, h, render };
export const html = htm.bind(h);
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from './vendor/hooks.js';
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from './vendor/signals.js';
