"""The memory that a render will take, estimated from the screenshot's header and the scene."""

from __future__ import annotations

import math

from service.codec.memory import pixel_bytes
from service.codec.picture import Limits
from service.config import Config
from service.engine.request import RenderRequest
from service.models.formats import FORMATS

# Bytes, measured at the peak of the whole process tree.
OUTPUT_PIXEL = 16  # a plate, the warped screenshot and the bands of the picture
PLATE_PIXEL = 8  # the plate alone, which stays while the picture is encoded
# Temporary memory while a plate is built: per pixel that the device covers, bounded since it is built some
# rows at a time. At scale 1 no device covers more than this share of a canvas.
COVERED_PIXEL, MOST_COVERED = 150, 180 * 2**20
COVERED = 0.25
SHAPES = 16 * 2**20
FILE_BYTE = 5  # copies of the file on its way to the renderer and decoder


def footprint(request: RenderRequest) -> int:
    """Bytes taken while a picture is rendered, besides the screenshot's file itself."""
    facts, spec = request.header, request.scene.spec
    source = FILE_BYTE * len(request.data) + pixel_bytes(facts) * facts.width * facts.height
    pixels = spec.width * spec.height
    covered = pixels * min(1.0, COVERED * spec.transform.scale**2)
    encoding = PLATE_PIXEL + FORMATS[request.scene.output.format].encoding_pixel
    output = max(OUTPUT_PIXEL, encoding) * pixels + min(COVERED_PIXEL * covered, MOST_COVERED) + SHAPES
    return source + math.ceil(output)


def source_limits(config: Config) -> Limits:
    """The largest screenshot that is decoded, as configured."""
    return Limits(pixels=config.max_source_pixels, side=config.max_source_side)
