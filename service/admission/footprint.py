"""The memory that a render will take, told from its settings and the screenshot's header."""

from __future__ import annotations

import math

from service.codec import header
from service.codec.memory import pixel_bytes
from service.config import Config
from service.models.settings import Settings

# Bytes, as measured at the peak of the whole process tree.
OUTPUT_PIXEL = 16  # a plate, the warped screenshot and, for WebP, the whole picture
# What a plate is made in: so much for each pixel that the device covers, up to a bound since it is made some
# rows at a time. At scale 1 no device covers more than this share of a canvas.
COVERED_PIXEL, MOST_COVERED = 150, 180 * 2**20
COVERED = 0.25
SHAPES = 16 * 2**20
FILE_BYTE = 5  # the file on its way to a renderer and a decoder, and what they take of it


def footprint(data: bytes, settings: Settings, config: Config) -> tuple[tuple[int, int], int]:
    """The screenshot's size, and bytes taken while it is rendered, beside the file itself.

    Raises MockupError for a screenshot that is refused by its header.
    """
    limits = header.Limits(pixels=config.max_source_pixels, side=config.max_source_side)
    facts = header.read(data, limits)
    source = FILE_BYTE * len(data) + pixel_bytes(facts) * facts.width * facts.height
    pixels = math.prod(settings.output_size)
    covered = pixels * min(1.0, COVERED * settings.device_transform.scale**2)
    output = OUTPUT_PIXEL * pixels + min(COVERED_PIXEL * covered, MOST_COVERED) + SHAPES
    return (facts.width, facts.height), source + math.ceil(output)
