"""GIF by Pillow: the first frame alone, cut out of the file before the decoder sees it."""

from __future__ import annotations

import io

import numpy as np
from PIL.GifImagePlugin import GifImageFile

from service.codec.picture import Header
from service.codec.raw import Raw, Wanted


def decode(data: bytes, header: Header, wanted: Wanted) -> Raw:
    """Decode to RGB, or RGBA when a colour is transparent or the frame does not fill the screen."""
    # Everything up to the first frame's end, without the frames behind it.
    with GifImageFile(io.BytesIO(data[: header.span[1]] + b";")) as image:
        if header.has_alpha:
            return Raw("RGBA", np.asarray(image.convert("RGBA"), np.uint8))
        return Raw("RGB", np.asarray(image.convert("RGB"), np.uint8))
