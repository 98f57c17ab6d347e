"""Decodes a checked file to upright sRGB pixels."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from ..arrays import U8
from ..errors import MockupError
from ..settings.formats import FORMATS, READ
from .color.convert import to_srgb
from .color.tags import profile
from .formats import parts
from .picture import Header, damaged, refuse, shown
from .raw import Raw, RequestedSize, without_alpha

DECODERS: dict[str, Callable[[bytes, Header, RequestedSize], Raw]] = parts(READ, "decode", "decode")


def decode(data: bytes, header: Header, requested: RequestedSize = None) -> U8:
    """Decode a screenshot to HxWx3 or, when any pixel is transparent, HxWx4 uint8, straight alpha, sRGB.

    `requested` is the width and height in pixels that the whole screenshot will have on the picture: a JPEG
    may come out smaller than its header says, but never smaller than that. Raises MockupError for bytes that
    cannot be decoded to the size their header promised.
    """
    try:
        raw = DECODERS[header.format](data, header, requested and shown(*requested, header.orientation))
        _check_shape(raw.pixels, header)
        pixels = to_srgb(without_alpha(raw), profile(data, header))
    except MockupError:
        raise
    except (cv2.error, OSError, ValueError, SyntaxError, IndexError, EOFError) as error:
        raise damaged(FORMATS[header.format].label, "it could not be decoded") from error
    return np.ascontiguousarray(_upright(pixels, header.orientation))


def decoded_size(header: Header, requested: RequestedSize = None) -> tuple[int, int]:
    """The width and height in pixels that `decode` returns for a screenshot."""
    divisor = header.reduction(requested and shown(*requested, header.orientation))
    return -(-header.width // divisor), -(-header.height // divisor)


def _check_shape(pixels: U8, header: Header) -> None:
    if not header.allows(pixels.shape, header.stored):
        width, height = header.stored
        raise refuse(f"a file whose picture has another size than the {width} × {height} of its header")


def _upright(pixels: U8, orientation: int) -> U8:
    """Apply EXIF `orientation` (1-8) to HxWxC pixels; returns a view."""
    transposed = orientation >= 5
    if orientation in (3, 4, 7, 8):
        pixels = pixels[:, ::-1] if transposed else pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[::-1] if transposed else pixels[:, ::-1]
    return pixels.swapaxes(0, 1) if transposed else pixels
