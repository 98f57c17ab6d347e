"""The memory that a render will take, estimated from the screenshot's header and the scene."""

from __future__ import annotations

import math

from ..codec.memory import pixel_bytes
from ..codec.picture import PictureLimits
from ..config import Config
from ..engine.request import RenderRequest
from ..settings.formats import FORMATS
from ..settings.poses import MARGIN, NEAREST, SPAN
from ..settings.scene import PlateSpec

# Bytes, measured at the peak of the whole process tree.
OUTPUT_PIXEL = 16  # a plate, the warped screenshot and the bands of the picture
PLATE_PIXEL = 8  # the plate alone, which stays while the picture is encoded
# Temporary memory while a plate is built: bytes per pixel that the device covers, and the most bytes in all,
# since a plate is built some rows at a time.
COVERED_PIXEL, MOST_COVERED = 82, 180 * 2**20
SHAPES = 16 * 2**20
MIRRORED = 20 * 2**20  # light between the parts of a laptop or foldable
# For each device of a scene except one: its canvas, bounded as above, and its screens' openings.
CANVAS_PIXEL, MOST_CANVAS, LAYER_PIXEL = 24, 72 * 2**20, 11
BACKDROP_PIXEL = 8  # a background image, and its resized part
REFLECTED_PIXEL = 40  # the image in a floor, as large as the canvas at most
DEPTH_PIXEL = 16  # a depth map, and the surroundings of bands that are out of focus
TRIMMED_PIXEL = 4  # a window's screenshot, copied to be trimmed
FILE_BYTE = 5  # copies of the file on its way to the renderer and decoder


def footprint(request: RenderRequest) -> int:
    """Bytes taken while a picture is rendered, besides the screenshots' files themselves."""
    spec = request.scene.spec
    source = FILE_BYTE * request.nbytes
    for number, file in enumerate(request.files):
        facts = file.header
        area = facts.width * facts.height
        source += pixel_bytes(facts) * area
        open_ = request.supposed is not None and number in request.supposed.unknown
        if open_ or any(one.trim for one in request.scene.shown if one.source == number):
            source += TRIMMED_PIXEL * area
    if request.backdrop:
        source += pixel_bytes(request.backdrop.header) * request.backdrop.area
    pixels = spec.width * spec.height
    covered = pixels * (1.0 if request.supposed else coverage(spec))
    encoding = PLATE_PIXEL + FORMATS[request.scene.output.format].encoding_pixel
    output = max(OUTPUT_PIXEL, encoding) * pixels + min(COVERED_PIXEL * covered, MOST_COVERED) + SHAPES
    if spec.ground is not None and spec.ground.reflectivity > 0:
        output += REFLECTED_PIXEL * pixels
    if spec.depth:
        output += DEPTH_PIXEL * pixels
    if request.scene.backdrop:
        output += BACKDROP_PIXEL * pixels
    if any(sum(slab.parent is None for slab in one.device.slabs) > 1 for one in spec.instances):
        output += MIRRORED
    if (others := len(spec.instances) - 1) > 0:
        # Each further device is painted on a canvas of its own, and the shapes of all devices are kept.
        output += others * (SHAPES + min(CANVAS_PIXEL * covered, MOST_CANVAS) + LAYER_PIXEL * covered)
    return source + math.ceil(output)


def coverage(spec: PlateSpec) -> float:
    """An upper bound, 0-1, of the share of the canvas that devices cover.

    A single device covers at most the area of its box, scaled as at the box's nearest point. Several devices
    may cover the whole canvas. See "Geometry" in docs/rendering.md; NumPy is not used, since the server does
    not load it.
    """
    if len(spec.instances) > 1 or spec.layout != "free":
        return 1.0
    one = spec.instances[0]
    t, (width, height, depth) = spec.transform, one.device.body
    if one.quarters:
        width, height = height, width
    unit = min(SPAN * spec.height / height, SPAN * spec.width / width)
    # How far each side of the box points at the camera: the last row of its rotation.
    (cx, sx), (cy, sy), (cz, sz) = (
        (math.cos(angle), math.sin(angle)) for angle in map(math.radians, (t.rx, t.ry, t.rz))
    )
    x, y, z = abs(sx * sz - cx * sy * cz), abs(sx * cz + cx * sy * sz), abs(cx * cy)
    shown = height * depth * x + width * depth * y + width * height * z
    near = (width * x + height * y + depth * z) / 2
    away = NEAREST * math.hypot(width, height, depth) / 2
    if t.fov > 0:
        away = max(away, spec.height / unit / (2 * math.tan(math.radians(t.fov) / 2)))
        unit *= away / (away - near)
    share = unit * unit * shown / (spec.width * spec.height)
    if t.framing in ("posed", "balanced"):
        share = SPAN**2
    elif t.framing == "auto":
        share = min(share, (1 - 2 * MARGIN) ** 2)
    return min(1.0, share * t.scale**2)


def source_limits(config: Config) -> PictureLimits:
    """The largest screenshot that is decoded, as configured."""
    return PictureLimits(pixels=config.max_source_pixels, side=config.max_source_side)
