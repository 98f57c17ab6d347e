"""Lettering: lines of text in Inter, with OpenCV's own fonts for scripts that it lacks."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from ...arrays import F32
from ...settings.text import rtl, visual
from ...shipped import FRAMES

Weight = Literal["Regular", "SemiBold"]
# Weights of OpenCV's own fonts, which are variable and shared: without a weight, they keep the last one.
WEIGHTS: dict[Weight, int] = {"Regular": 400, "SemiBold": 600}

CAPITAL = 0.727  # height of Inter's capitals, em
FINE = 4  # factor by which text is drawn larger and then averaged, which places glyphs at quarters of a pixel
ELLIPSIS = "…"


def file(weight: Weight) -> Path:
    """The file of a weight."""
    return FRAMES / "fonts" / f"Inter-{weight}.otf"


@cache
def _font(weight: Weight) -> cv2.FontFace:
    return cv2.FontFace(str(file(weight)))


def _width(text: str, em: float, weight: Weight) -> float:
    """The width of a line in px."""
    size = cv2.getTextSize((0, 0), text, (0, 0), _font(weight), _size(em), WEIGHTS[weight])
    return float(size[2]) / FINE


def _size(em: float) -> int:
    return max(1, round(em * FINE))


def elided(text: str, em: float, width: float, weight: Weight) -> tuple[str, float]:
    """A text in visual order, shortened by an ellipsis to fit into `width` px, and the width that it takes.

    `em` is the size of the font in px.
    """
    # No letter is narrower than this, so a long text need not be measured whole.
    most = math.ceil(max(width, 0) / (0.15 * em)) + 1
    if len(text) <= most and (wide := _width(whole := visual(text), em, weight)) <= width:
        return whole, wide
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        if _width(_short(text, middle), em, weight) <= width:
            low = middle
        else:
            high = middle - 1
    shown = _short(text, low) if low else ""
    return shown, _width(shown, em, weight) if shown else 0.0


def _short(text: str, count: int) -> str:
    """The first `count` characters and an ellipsis, in visual order."""
    kept = visual(text[:count].rstrip())
    return ELLIPSIS + kept if rtl(text) else kept + ELLIPSIS


def lettering(text: str, at: tuple[float, float], em: float, weight: Weight) -> tuple[F32, tuple[int, int]]:
    """A line's coverage (h, w) in 0-1 and the px of its upper left corner.

    `at` is its left end and the middle of its capitals in px; `em` is the size of the font in px.
    """
    size = _size(em)
    base = at[1] * FINE + CAPITAL * size / 2
    x, y = math.floor(at[0]) - 2, math.floor((base - 1.2 * size) / FINE) - 1
    columns = math.ceil(_width(text, em, weight)) + 6
    rows = math.ceil(1.8 * size / FINE) + 2
    patch = np.zeros((rows * FINE, columns * FINE), np.uint8)
    place = (round(at[0] * FINE) - x * FINE, round(base) - y * FINE)
    cv2.putText(patch, text, place, 255, _font(weight), size, WEIGHTS[weight])
    small = cv2.resize(patch, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(small.astype(np.float32) * np.float32(1 / 255)), (x, y)
