// The panels beside the stage, in the order of their tabs. To add one, write its component and a line here.
import { CodePanel } from './code.js';
import { DevicePanel } from './device.js';
import { FilmPanel } from './film.js';
import { LayersPanel } from './layers.js';
import { LooksPanel } from './looks.js';
import { PosePanel } from './pose.js';
import { ProjectsPanel } from './projects.js';
import { ScreenshotPanel } from './screenshot.js';
import { SetPanel } from './set.js';
import { SettingsPanel } from './settings.js';
import { TemplatesPanel } from './templates.js';

/** `id` is kept between visits, `icon` is a name of `components/icon.js`, `Panel` the component. */
export const PANELS = [
  { id: 'screenshot', label: 'Image', icon: 'screenshot', title: 'Screenshot', Panel: ScreenshotPanel },
  { id: 'layers', label: 'Layers', icon: 'layers', Panel: LayersPanel },
  { id: 'device', label: 'Device', icon: 'device', Panel: DevicePanel },
  { id: 'pose', label: 'Pose', icon: 'pose', Panel: PosePanel },
  { id: 'looks', label: 'Looks', icon: 'looks', Panel: LooksPanel },
  { id: 'templates', label: 'Templates', icon: 'templates', Panel: TemplatesPanel },
  { id: 'settings', label: 'Settings', icon: 'settings', Panel: SettingsPanel },
  { id: 'set', label: 'Set', icon: 'set', title: 'Store set', Panel: SetPanel },
  { id: 'film', label: 'Film', icon: 'film', Panel: FilmPanel },
  { id: 'code', label: 'Code', icon: 'code', title: 'Copy as', Panel: CodePanel },
  { id: 'projects', label: 'Projects', icon: 'projects', Panel: ProjectsPanel },
];
