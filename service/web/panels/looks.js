// The looks, shown with the user's screenshot, and looks that the user has saved.
import { html, useEffect, useId } from '../html.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Pictures } from '../components/pictures.js';
import { fitLooks, fittings, subject } from '../server/fittings.js';
import { dressed, forgetLook, keepLook, loadLooks, looks, ownLooks, takeLook } from '../state/looks.js';
import { same } from '../state/paths.js';
import { toast } from '../state/status.js';
import { settings } from '../state/store.js';

export function LooksPanel() {
  const all = [...ownLooks.value, ...looks.value];
  useEffect(() => {
    loadLooks().catch((error) => toast(error.message, 'error'));
  }, []);
  useEffect(() => fitLooks(all), [all.length, subject.value]);
  return html`<div class="stack">
    <${Own} />
    <${Tiles} label="Looks" list=${looks.value} />
  </div>`;
}

function Tiles({ label, list }) {
  const chosen = list.find((look) => same(dressed(settings.value, look), settings.value));
  const options = list.map((look) => ({
    value: look.id,
    label: look.name,
    title: look.description,
    // A blob needs no request to the server, so it does not wait for a turn.
    picture: fittings.value[look.id] && html`<img class="fitting" src=${fittings.value[look.id]} alt="" />`,
    src: fittings.value[look.id] ? undefined : look.preview,
  }));
  return html`<${Pictures} label=${label} shape="wide" columns=${2} options=${options} value=${chosen?.id}
    onChange=${(id) => takeLook(list.find((look) => look.id === id))} />`;
}

function Own() {
  const id = useId();
  const submit = (event) => {
    event.preventDefault();
    keepLook(new FormData(event.target).get('name').trim() || 'My look');
    event.target.reset();
    toast('Look saved in this browser', 'success');
  };
  const remove = (look) => {
    forgetLook(look.id);
    toast(`${look.name} removed`);
  };
  return html`<form class="field" onSubmit=${submit}>
      <div class="field-head"><label class="field-label" for=${id}>Save the present look</label></div>
      <div class="row row-tight">
        <input class="input" id=${id} name="name" maxlength="60" placeholder="Name" autocomplete="off" />
        <${Button} type="submit" icon="plus">Save<//>
      </div>
    </form>
    ${ownLooks.value.length > 0 &&
    html`<section class="stack" aria-label="Own looks">
      <${Tiles} label="Own looks" list=${ownLooks.value} />
      <details class="more">
        <summary><${Icon} name="trash" size=${15} /> Remove a look</summary>
        <ul class="list">
          ${ownLooks.value.map((look) => html`<li key=${look.id} class="list-row">
            <span class="list-name">${look.name}</span>
            <${Button} kind="quiet" small icon="trash" label="Remove ${look.name}" onClick=${() => remove(look)} />
          </li>`)}
        </ul>
      </details>
    </section>`}`;
}
