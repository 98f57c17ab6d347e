"""Contact sheets: our picture, the reference and four times their difference, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import U8

SHEET = 4600  # px; as many columns as fit
INK, PAPER = (40, 40, 44), (250, 250, 250)


def strip(ours: U8, truth: U8, inside: NDArray[np.bool_], caption: str) -> U8:
    """One case at twice its size, cut to the device: ours, reference, difference × 4, under a caption."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    box = slice(max(rows[0] - 6, 0), rows[-1] + 7), slice(max(columns[0] - 6, 0), columns[-1] + 7)
    apart = cv2.absdiff(ours[box], truth[box])
    row = np.hstack([ours[box], truth[box], cv2.convertScaleAbs(apart, alpha=4)])
    row = cv2.resize(row, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    framed = cv2.copyMakeBorder(row, 34, 10, 10, 10, cv2.BORDER_CONSTANT, value=PAPER)
    cv2.putText(framed, caption, (12, 23), cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 1, cv2.LINE_AA)
    return np.asarray(framed, np.uint8)


def write(file: Path, strips: list[U8]) -> None:
    """Arrange the strips in columns and write them as a PNG."""
    width = max(strip.shape[1] for strip in strips)
    columns = max(min(SHEET // width, len(strips)), 1)
    rows = []
    for at in range(0, len(strips), columns):
        part = strips[at : at + columns]
        height = max(strip.shape[0] for strip in part)
        cells = [_padded(strip, height, width) for strip in part]
        cells += [np.full((height, width, 3), PAPER, np.uint8)] * (columns - len(cells))
        rows.append(np.hstack(cells))
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


def _padded(strip: U8, height: int, width: int) -> Any:
    bottom, right = height - strip.shape[0], width - strip.shape[1]
    return cv2.copyMakeBorder(strip, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=PAPER)
