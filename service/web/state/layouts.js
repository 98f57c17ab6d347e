// The views that layouts give a scene where its settings have none; `service/settings/layouts.py` has the same.

const view = (rotationX, rotationY, rotationZ, fieldOfView = 30) => ({ rotationX, rotationY, rotationZ, fieldOfView, framing: 'posed' });

const VIEWS = {
  row: view(0, 0, 0),
  fan: view(0, 0, 0),
  cascade: view(6, -24, 0),
  stack: view(-56, 0, 38, 20),
  desk: view(9, 0, 0, 24),
  isometric: view(-54.7, 0, 45, 0),
};
const STANDING = ['laptop', 'desktop', 'tv'];
const STANDING_ISOMETRIC = view(35.3, -45, 0, 0);

/** Members of `deviceTransform` that a layout decides for devices of these categories. */
export function layoutView(layout, categories) {
  if (layout === 'isometric' && categories.some((one) => STANDING.includes(one))) return STANDING_ISOMETRIC;
  return VIEWS[layout] ?? {};
}
