"""The memory that a screenshot's pixels take at their peak, told from its header.

Measured over the whole process tree with pictures of 10 and 24 megapixels: what the decoder needs, the shared
memory that its pixels come back in, and what the renderer makes of them before they are on the canvas.
"""

from __future__ import annotations

from service.codec.picture import Header

# Bytes a pixel: as measured, and about a twentieth more.
OPAQUE = {"png": 9, "jpeg": 11, "webp": 11, "gif": 9}
CLEAR = {"png": 13, "webp": 17, "gif": 13}
LOSSLESS = 1  # libwebp unpacks to pixels of its own first
CMYK = 5
# libjpeg keeps the coefficients of all scans until the last one is there, two bytes a sample.
SCANS, CMYK_SCANS = 3, 4
PROFILE = 4  # pixels before and after
TURNED = 4  # pixels as stored and upright


def pixel_bytes(header: Header) -> int:
    """Bytes a pixel for a screenshot of this form, at least what it takes."""
    found = CLEAR[header.format] if header.has_alpha else OPAQUE[header.format]
    found += LOSSLESS * header.lossless
    if header.color == "cmyk":
        found += CMYK
    if header.format == "jpeg" and header.interlaced:
        found += CMYK_SCANS if header.color == "cmyk" else SCANS
    if header.tags.icc or header.tags.cicp or header.tags.gamma:
        found += PROFILE
    return found + TURNED * (header.orientation > 1)
