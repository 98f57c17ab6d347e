"""JPEG by libjpeg-turbo, through OpenCV; 4:4:4 from quality 90 on, else 4:2:0."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.codec.encoders.flatten import flatten
from service.codec.profiles import srgb
from service.scene import Output

FULL_CHROMA = 90


def encode(pixels: NDArray[np.uint8], output: Output) -> bytes:
    """Encode HxWx3 or HxWx4 uint8 sRGB (alpha is laid on white) with an sRGB profile."""
    fine = output.quality >= FULL_CHROMA
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if fine else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
    parameters = [cv2.IMWRITE_JPEG_QUALITY, output.quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    done, data = cv2.imencode(".jpg", cv2.cvtColor(flatten(pixels), cv2.COLOR_RGB2BGR), parameters)
    if not done:
        raise RuntimeError("the JPEG encoder failed")
    file = data.tobytes()
    # Behind the JFIF segment, which must come first.
    at = 4 + int.from_bytes(file[4:6], "big")
    profile = b"ICC_PROFILE\0\1\1" + srgb()
    return b"".join((file[:at], b"\xff\xe2", (2 + len(profile)).to_bytes(2, "big"), profile, file[at:]))
