"""Peak memory for the pixels of a screenshot, estimated from its header.

Measured over the whole process tree with pictures of 10 and 24 megapixels: the decoder, the shared memory in
which it returns pixels, and the renderer's copies before they are on the canvas.
"""

from __future__ import annotations

from collections.abc import Callable

from ..settings.formats import READ
from .formats import parts
from .picture import Header

# Bytes per pixel: as measured, plus about 5 %.
PROFILE = 4  # pixels before and after
TURNED = 4  # pixels as stored and upright

DECODING: dict[str, Callable[[Header], int]] = parts(READ, "header", "pixel_bytes")


def pixel_bytes(header: Header) -> int:
    """Bytes per pixel for a screenshot with this header, an upper bound."""
    found = DECODING[header.format](header)
    if header.tags.icc or header.tags.cicp or header.tags.gamma:
        found += PROFILE
    return found + TURNED * (header.orientation > 1)
