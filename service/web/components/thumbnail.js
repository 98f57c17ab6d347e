// A small picture of the server's. It is requested when it comes into view. Requests wait for each other and for the live
// picture, since the server may have to make each picture.
import { html, useEffect, useRef, useState } from '../html.js';
import { status } from '../state/status.js';

const TRIES = 3;
const RETRY_MS = 2000;
const LOOK_MS = 50; // interval of checks whether the live picture is finished
const PATIENCE_MS = 3000; // the longest time for which these checks go on

const waiting = [];
let loading = false;

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) target.dispatchEvent(new CustomEvent('seen'));
  }
});

async function work() {
  if (loading) return;
  loading = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const busy = (waited) => next.wanted && status.peek().kind === 'working' && waited < PATIENCE_MS;
    for (let waited = 0; busy(waited); waited += LOOK_MS) await pause(LOOK_MS);
    if (next.wanted) await next.load();
  }
  loading = false;
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function fetchImage(src) {
  for (let left = TRIES; left > 0; left -= 1) {
    const image = new Image();
    image.src = src;
    const loaded = await new Promise((resolve) => {
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
    });
    if (loaded) return true;
    await pause(RETRY_MS);
  }
  return false;
}

export function Thumbnail({ src }) {
  const place = useRef(null);
  const [shown, setShown] = useState(null);
  useEffect(() => {
    const element = place.current;
    const job = { wanted: true, load: async () => (await fetchImage(src)) && job.wanted && setShown(src) };
    const begin = () => {
      seen.unobserve(element);
      waiting.push(job);
      work();
    };
    element.addEventListener('seen', begin, { once: true });
    seen.observe(element);
    return () => {
      job.wanted = false;
      element.removeEventListener('seen', begin);
      seen.unobserve(element);
    };
  }, [src]);
  return html`<span class="thumbnail ${shown ? '' : 'thumbnail-empty'}" ref=${place}>
    ${shown && html`<img src=${shown} alt="" decoding="async" />`}
  </span>`;
}
