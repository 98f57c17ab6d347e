// The frame around a control: its label, a reset when it differs from its default, its hint, and the error that names it.
import { html, useId } from '../html.js';
import { faults } from '../state/status.js';
import { change, isSet, pathOf } from '../state/store.js';
import { Button } from './button.js';

/**
 * `path` is the setting's; `children` is called with `{id, describedBy, invalid}` for the control's attributes.
 * `fault` is an error that is not shown anywhere else. `group` is for controls that are several elements,
 * which a `<label>` cannot name; `required` ones cannot be reset.
 */
export function Field({ path, label, hint, fault: told, group = false, inline = false, required = false, children }) {
  const id = useId();
  const fault = told ?? (path && (faults.value[pathOf(path)] ?? nested(pathOf(path))));
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const name = group
    ? html`<span class="field-label" id="${id}-label">${label}</span>`
    : html`<label class="field-label" id="${id}-label" for=${id}>${label}</label>`;
  return html`<div
    class="field ${inline ? 'field-inline' : ''} ${fault ? 'field-faulty' : ''}"
    role=${group ? 'group' : undefined}
    aria-labelledby=${group ? `${id}-label` : undefined}
    aria-describedby=${group ? described : undefined}
  >
    <div class="field-head">
      ${name}
      ${path &&
      !required &&
      isSet(path) &&
      html`<${Button} kind="quiet" small icon="reset" label="Reset ${label}" onClick=${() => change({ [path]: undefined }, null)} />`}
    </div>
    ${children({ id, describedBy: described, invalid: fault ? 'true' : undefined })}
    ${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
    ${fault && html`<p class="field-fault" id="${id}-fault">${fault}</p>`}
  </div>`;
}

function nested(path) {
  const found = Object.entries(faults.value).find(([one]) => one.startsWith(`${path}.`) || one.startsWith(`${path}[`));
  return found && `${found[0]}: ${found[1]}`;
}
