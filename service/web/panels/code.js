// The request that makes the present picture, to copy; and a field that makes the picture of a pasted request.
import { html, useId, useState } from '../html.js';
import { Button } from '../components/button.js';
import { Code } from '../components/code.js';
import { Segmented } from '../components/segmented.js';
import { read, write } from '../browser/preferences.js';
import { SNIPPETS } from '../snippets/index.js';
import { presentRequest } from '../snippets/request.js';
import { takeRequest } from '../stage/sources.js';

export function CodePanel() {
  const [id, setId] = useState(read('snippet') ?? SNIPPETS[0].id);
  const snippet = SNIPPETS.find((one) => one.id === id) ?? SNIPPETS[0];
  const text = snippet.write(presentRequest());
  const choose = (next) => {
    write('snippet', next);
    setId(next);
  };
  return html`<div class="stack">
    <${Segmented} label="Copy as" value=${snippet.id} onChange=${choose}
      options=${SNIPPETS.map((one) => ({ value: one.id, label: one.title }))} />
    <${Code} title=${snippet.title} text=${text} kind="primary" />
    ${!['json', 'command'].includes(snippet.id) &&
    html`<p class="field-hint">It reads your key from the variable <code>MOCKUP_KEY</code>: <code>export MOCKUP_KEY=sk_live_…</code></p>`}
    <${Back} />
  </div>`;
}

function Back() {
  const id = useId();
  const [fault, setFault] = useState('');
  const submit = (event) => {
    event.preventDefault();
    const found = takeRequest(new FormData(event.target).get('text'));
    setFault(found ? '' : 'There are no settings in this text');
    if (found) event.target.reset();
  };
  return html`<form class="field" onSubmit=${submit}>
    <div class="field-head"><label class="field-label" for=${id}>Paste a request to edit it</label></div>
    <textarea class="input textarea" id=${id} name="text" rows="4" required spellcheck=${false} placeholder="curl, Python, JavaScript, Go or JSON"
      aria-invalid=${fault ? 'true' : undefined} aria-describedby=${fault ? `${id}-fault` : undefined}></textarea>
    ${fault && html`<p class="field-fault" id="${id}-fault" role="alert">${fault}</p>`}
    <div class="row row-end"><${Button} type="submit" icon="paste">Use its settings<//></div>
    <p class="field-hint">Or press Ctrl V anywhere on the page.</p>
  </form>`;
}
