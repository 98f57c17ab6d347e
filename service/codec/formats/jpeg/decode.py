"""JPEG by libjpeg-turbo, through OpenCV; CMYK through Pillow, which keeps the four inks for their profile."""

from __future__ import annotations

import io

import cv2
import numpy as np
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from ....arrays import U8
from ...picture import Budget, Header, damaged
from ...pillow import pixels_of
from ...raw import Raw, RequestedSize
from .header import segments

REDUCED = {
    1: cv2.IMREAD_COLOR_RGB,
    2: (cv2.IMREAD_REDUCED_COLOR_2 & ~cv2.IMREAD_COLOR) | cv2.IMREAD_COLOR_RGB,
    4: (cv2.IMREAD_REDUCED_COLOR_4 & ~cv2.IMREAD_COLOR) | cv2.IMREAD_COLOR_RGB,
    8: (cv2.IMREAD_REDUCED_COLOR_8 & ~cv2.IMREAD_COLOR) | cv2.IMREAD_COLOR_RGB,
}
GREY = {
    1: cv2.IMREAD_GRAYSCALE,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}

COMMENT, JFIF, ADOBE = 0xFE, 0xE0, 0xEE
APPLICATIONS = range(0xE0, 0xF0)


def decode(data: bytes, header: Header, requested: RequestedSize) -> Raw:
    """Decode to L, RGB or CMYK at the smallest of 1/8, 1/4, 1/2 and full size not below `requested`."""
    data = bare(data)
    divisor = header.reduction(requested)
    if header.color == "cmyk":
        return Raw("CMYK", _cmyk(data, header, divisor))
    flags = (GREY if header.color == "grey" else REDUCED)[divisor] | cv2.IMREAD_IGNORE_ORIENTATION
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise damaged("JPEG", "it could not be decoded")
    return Raw("L" if header.color == "grey" else "RGB", np.asarray(pixels, np.uint8))


def bare(data: bytes) -> bytes:
    """The file without comments and application data, except what identifies the colour space.

    This keeps EXIF, profiles and previews away from the decoder.
    """
    kept = [data[:2]]
    begin = last = 2
    for marker, start, _, after in segments(data, Budget("jpeg")):
        if marker == COMMENT or (marker in APPLICATIONS and marker not in (JFIF, ADOBE)):
            kept.append(data[begin : start - 2])
            begin = after
        last = after
    # Bytes after the picture are dropped, too.
    return b"".join((*kept, data[begin:last]))


def _cmyk(data: bytes, header: Header, divisor: int) -> U8:
    image: Image.Image = JpegImageFile(io.BytesIO(data))
    if image.mode != "CMYK" or image.size != header.stored:
        raise damaged("JPEG", "its header and its picture differ")
    if divisor > 1:
        width, height = header.stored
        image.draft("CMYK", (width // divisor, height // divisor))
    return pixels_of(image, "CMYK")
