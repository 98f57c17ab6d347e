// Whether the browser composes the page on a graphics processor. Where it does not, as on many virtual machines,
// whatever moves on the page takes processor time, also from a server on the same machine.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i; // Chromium's, Mesa's and Windows' renderers

let known;

/** Whether moving parts of the page costs hardly any processor time. */
export function isAccelerated() {
  known ??= isHardware(rendererOf(document.createElement('canvas')));
  return known;
}

/** Whether WebGL's name of a renderer is that of a graphics processor; null stands for none. */
export const isHardware = (renderer) => renderer !== null && !SOFTWARE.test(renderer);

// Browsers draw WebGL and compose pages with the same renderer.
function rendererOf(canvas) {
  const context = canvas.getContext('webgl', { failIfMajorPerformanceCaveat: true });
  if (!context) return null;
  const told = context.getExtension('WEBGL_debug_renderer_info');
  return context.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : context.RENDERER);
}
