"""Lettering of the frames. Only generating frames needs the font; running the service does not."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from frames.generator.paint import Canvas
from service.arrays import F64

Weight = Literal["Light", "Regular", "Medium", "SemiBold", "Bold"]
Align = Literal["left", "middle", "right"]

# Inter, under the SIL Open Font License 1.1; Debian's package fonts-inter.
FONTS = Path("/usr/share/fonts/opentype/inter")
CAPITAL = 0.727  # height of the font's capitals, em
FINE = 4  # factor by which text is drawn larger and then averaged, which places glyphs at quarters of a pixel


@cache
def font(weight: Weight) -> cv2.FontFace:
    """A cut of the font; raises FileNotFoundError, with the package's name, if it is not installed."""
    file = FONTS / f"Inter-{weight}.otf"
    if not file.exists():
        raise FileNotFoundError(f"{file} is missing: install the package fonts-inter to draw lettering")
    return cv2.FontFace(str(file))


def lettering(
    canvas: Canvas,
    text: str,
    at: tuple[float, float],
    size: float,
    weight: Weight = "Regular",
    align: Align = "left",
) -> F64:
    """Coverage (0-1) of a line of text on a canvas, its capitals centred on the height of `at`.

    `at` and `size` (one em) are in the canvas' units.
    """
    em = round(size / canvas.pixel * FINE)
    face = font(weight)
    width = cv2.getTextSize((0, 0), text, (0, 0), face, em)[2]
    left = (at[0] - canvas.center[0] + canvas.size[0] / 2) / canvas.pixel * FINE
    left -= {"left": 0.0, "middle": width / 2, "right": width}[align]
    base = (canvas.center[1] + canvas.size[1] / 2 - at[1]) / canvas.pixel * FINE + CAPITAL * em / 2
    # Draw only the part of the canvas around the text, beginning at whole pixels.
    x, y = int(left // FINE) - 2, int((base - em) // FINE) - 2
    columns, rows = width // FINE + 6, em * 3 // (2 * FINE) + 6
    patch = np.zeros((rows * FINE, columns * FINE), np.uint8)
    cv2.putText(patch, text, (round(left) - x * FINE, round(base) - y * FINE), 255, face, em)
    small = cv2.resize(patch, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float64) / 255
    cover = np.zeros_like(canvas.alpha)
    height, breadth = cover.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + columns, breadth), min(y + rows, height)
    if x1 > x0 and y1 > y0:
        cover[y0:y1, x0:x1] = small[y0 - y : y1 - y, x0 - x : x1 - x]
    return cover
