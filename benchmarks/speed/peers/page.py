"""The scene as a web page: CSS 3D transforms, a blurred shadow, gradients, a glare by mix-blend-mode."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image

from benchmarks.speed.sketch import BODY, GLARE, Plane, Sketch, hexed

UNIT = 10  # CSS px per millimetre, before the transform


def html(sketch: Sketch, screenshot: str) -> str:
    """The page; `screenshot` is the picture's address."""
    width, height = sketch.size
    start, end = (hexed(color) for color in sketch.colors)
    right, down = sketch.shadow_offset
    glow = ""
    lens = ""
    if sketch.case.effects:
        scale = 1 / (1 - sketch.glow.threshold)
        bright = (
            f"<feComponentTransfer>{_channels(scale, -sketch.glow.threshold * scale)}</feComponentTransfer>"
        )
        glow = (
            f'<svg width="0" height="0" style="position:absolute"><filter id="glow" x="0" y="0" width="1"'
            f' height="1" color-interpolation-filters="sRGB">{bright}'
            f'<feGaussianBlur stdDeviation="{sketch.glow.sigma}" result="light"/>'
            f'<feComponentTransfer in="light" result="weak">{_channels(sketch.glow.strength, 0)}'
            f'</feComponentTransfer><feBlend in="SourceGraphic" in2="weak" mode="screen"/></filter></svg>'
        )
        lens = f'<i class="whole vignette"></i><i class="whole grain" style="--s:{_noise(sketch.grain)}"></i>'
    filtered = "filter:url(#glow);" if glow else ""
    return f"""<!doctype html><meta charset="utf-8"><style>
*{{margin:0;padding:0}} html,body{{width:{width}px;height:{height}px;overflow:hidden}}
.whole{{position:absolute;left:0;top:0;width:{width}px;height:{height}px}}
.scene{{{filtered}background:linear-gradient({sketch.background.angle}deg,{start},{end})}}
.shadow{{filter:blur({sketch.shadow_sigma}px);opacity:{sketch.shadow_opacity};
transform:translate({right}px,{down}px)}}
.plane{{position:absolute;left:0;top:0;transform-origin:0 0;overflow:hidden}}
.body{{{_plane(sketch.body)}background:{hexed(BODY)}}} .shadow .body{{background:#000}}
.screen{{{_plane(sketch.screen)}}} img{{display:block;width:100%;height:100%}}
.glare{{position:absolute;inset:0;mix-blend-mode:screen;
background:linear-gradient(to bottom right,rgba(255,255,255,{GLARE}),rgba(255,255,255,0) 50%)}}
.vignette{{background:radial-gradient(farthest-corner,transparent 45%,rgba(0,0,0,{sketch.vignette}))}}
.grain{{background-image:var(--s);mix-blend-mode:overlay}}
</style>{glow}<div class="whole scene"><div class="whole shadow"><div class="plane body"></div></div>
<div class="plane body"></div>
<div class="plane screen"><img src="{screenshot}" alt=""><div class="glare"></div></div></div>{lens}"""


def _plane(plane: Plane) -> str:
    matrix = plane.matrix @ np.diag([1 / UNIT, 1 / UNIT, 1])
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    # CSS lists matrices column by column; z does not affect the result, and stays 0.
    cells = [a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i]
    size = f"width:{plane.size[0] * UNIT}px;height:{plane.size[1] * UNIT}px;"
    transform = ",".join(f"{cell:.12g}" for cell in cells)
    return f"{size}border-radius:{plane.radius * UNIT}px;transform:matrix3d({transform});"


def _channels(slope: float, intercept: float) -> str:
    each = f'type="linear" slope="{slope}" intercept="{intercept}"'
    return "".join(f"<feFunc{name} {each}/>" for name in "RGB")


def _noise(deviation: float) -> str:
    noise = np.random.default_rng(1).normal(128, deviation, (256, 256))
    file = io.BytesIO()
    Image.fromarray(np.clip(noise, 0, 255).astype(np.uint8)).save(file, "png")
    return f"url(data:image/png;base64,{base64.b64encode(file.getvalue()).decode()})"
