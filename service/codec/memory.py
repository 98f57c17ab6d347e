"""The memory that a screenshot's pixels take at their peak, told from its header.

Measured over the whole process tree with pictures of 10 and 24 megapixels: what the decoder needs, the shared
memory that its pixels come back in, and what the renderer makes of them before they are on the canvas.
"""

from __future__ import annotations

from collections.abc import Callable

from service.codec.formats import parts
from service.codec.picture import Header
from service.models.formats import READ

# Bytes a pixel: as measured, and about a twentieth more.
PROFILE = 4  # pixels before and after
TURNED = 4  # pixels as stored and upright

DECODING: dict[str, Callable[[Header], int]] = parts(READ, "header", "pixel_bytes")


def pixel_bytes(header: Header) -> int:
    """Bytes a pixel for a screenshot of this form, at least what it takes."""
    found = DECODING[header.format](header)
    if header.tags.icc or header.tags.cicp or header.tags.gamma:
        found += PROFILE
    return found + TURNED * (header.orientation > 1)
