// Download and its choices: format, quality, scale; and copying the picture.
import { html, useId, useRef } from '../html.js';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { Icon } from '../components/icon.js';
import { Segmented } from '../components/segmented.js';
import { Setting } from '../components/setting.js';
import { Slider } from '../components/slider.js';
import { copyPicture, downloadPicture, making } from '../server/download.js';
import { describe } from '../state/schema.js';
import { change, value } from '../state/store.js';
import { exportedSize } from '../state/zoom.js';

const SCALES = [1, 2, 3, 4].map((scale) => ({ value: scale, label: `${scale}×` }));

export function Export() {
  const sheet = useRef(null);
  const id = useId();
  const { width, height } = exportedSize.value;
  const scale = value('export.scale');
  const format = value('export.format');
  const formats = describe('export.format').options.map((one) => ({ value: one.value, label: one.title }));
  const metadata = describe('export.metadata');
  const close = () => sheet.current.hidePopover();
  return html`<div class="export">
    <${Button} kind="primary" icon=${making.value ? undefined : 'download'} class="export-main" disabled=${making.value}
      label="Download" onClick=${downloadPicture}>${making.value ? 'Rendering…' : 'Download'}<//>
    <button type="button" class="button button-primary button-icon export-more" popovertarget=${id} aria-label="Download options">
      <${Icon} name="down" size=${16} />
    </button>
    <div class="popover export-sheet" id=${id} popover ref=${sheet} role="dialog" aria-label="Download options">
      <${Field} path="export.format" label="Format" group>
        ${() => html`<${Segmented} label="Format" options=${formats} value=${format}
          onChange=${(next) => change({ 'export.format': next })} />`}
      <//>
      <${Field} path="export.scale" label="Scale" hint="${width} × ${height} pixels">
        ${(control) => html`<${Segmented} label="Scale" options=${SCALES} value=${scale}
            onChange=${(next) => change({ 'export.scale': next })} />
          <${Slider} ...${control} path="export.scale" minimum=${1} maximum=${4} step=${0.05} unit="×" />`}
      <//>
      ${format !== 'png' &&
      html`<${Field} path="export.quality" label="Quality">
        ${(control) => html`<${Slider} ...${control} path="export.quality" minimum=${10} maximum=${100} step=${1} />`}
      <//>`}
      ${metadata && html`<${Setting} setting=${metadata} explained />`}
      <div class="export-actions">
        <${Button} icon="copy" onClick=${() => (close(), copyPicture())}>Copy picture<//>
        <${Button} kind="primary" icon="download" onClick=${() => (close(), downloadPicture())}>Download<//>
      </div>
    </div>
  </div>`;
}
