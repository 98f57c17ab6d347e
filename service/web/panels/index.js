// The panels beside the stage, in the order of their tabs. To add one, write its component and a line here.
import { ScreenshotPanel } from './screenshot.js';

/** `id` is kept between visits, `icon` is a name of `components/icon.js`, `Panel` the component. */
export const PANELS = [{ id: 'screenshot', label: 'Image', icon: 'screenshot', title: 'Screenshot', Panel: ScreenshotPanel }];
