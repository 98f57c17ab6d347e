"""The memory that a render will take, told from its settings and the screenshot's header."""

from __future__ import annotations

import math

from service.codec import header
from service.config import Config
from service.settings import Settings

# Bytes a pixel, as measured at the peak of the whole process tree.
SOURCE_PIXEL = 12  # the decoder's rows and pixels, and the shared memory they come back in
OUTPUT_PIXEL = 20  # a plate, the warped screenshot and, for WebP, the whole picture
# The file, the base64 it came as, the body around that, and the memory in which it goes to a renderer.
FILE_BYTE = 4


def footprint(data: bytes, settings: Settings, config: Config) -> tuple[tuple[int, int], tuple[int, int]]:
    """The screenshot's size, and bytes held while a request waits, and bytes more while it is rendered.

    Raises MockupError for a screenshot that is refused by its header.
    """
    limits = header.Limits(pixels=config.max_source_pixels, side=config.max_source_side)
    facts = header.read(data, limits)
    pixels = math.prod(settings.output_size)
    running = SOURCE_PIXEL * facts.width * facts.height + OUTPUT_PIXEL * pixels
    return (facts.width, facts.height), (FILE_BYTE * len(data), running)
