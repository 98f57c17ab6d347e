"""The memory that a render will take, told from its settings and the screenshot's header."""

from __future__ import annotations

import math

from service.codec import header
from service.config import Config
from service.settings import Settings

# Bytes a pixel, as measured at the peak of the whole process tree.
SOURCE_PIXEL = 12  # the decoder's rows and pixels, and the shared memory they come back in
OUTPUT_PIXEL = 20  # a plate, the warped screenshot and, for WebP, the whole picture
# The file, the base64 it came as, and the body around that.
FILE_BYTE = 3


def footprint(data: bytes, settings: Settings, config: Config) -> tuple[int, int]:
    """Bytes held while a request waits, and bytes more while it is rendered.

    Raises MockupError for a screenshot that is refused by its header.
    """
    limits = header.Limits(pixels=config.max_source_pixels, side=config.max_source_side)
    facts = header.read(data, limits)
    pixels = math.prod(settings.output_size)
    return FILE_BYTE * len(data), SOURCE_PIXEL * facts.width * facts.height + OUTPUT_PIXEL * pixels
