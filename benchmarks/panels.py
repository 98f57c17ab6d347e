"""Pictures side by side, for the documentation's pictures and the contact sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from service.arrays import U8
from service.codec.encode import encode
from service.settings.scene import Output

PAPER = (255, 255, 255)
GAP = 8


def beside(panels: Sequence[U8], columns: int | None = None) -> U8:
    """RGB pictures (h, w, 3) on white, in rows of `columns`; by default, in a single row."""
    columns = columns or len(panels)
    height = max(panel.shape[0] for panel in panels)
    width = max(panel.shape[1] for panel in panels)
    blank = np.full((height, width, 3), PAPER, np.uint8)
    cells = [centred(panel, blank) for panel in panels]
    cells += [blank] * (-len(cells) % columns)
    rows = [_joined(cells[at : at + columns], 1) for at in range(0, len(cells), columns)]
    return _joined(rows, 0)


def centred(panel: U8, blank: U8) -> U8:
    """A panel in the middle of a copy of `blank`."""
    cell = blank.copy()
    y, x = ((whole - part) // 2 for whole, part in zip(blank.shape, panel.shape[:2], strict=False))
    cell[y : y + panel.shape[0], x : x + panel.shape[1]] = panel
    return cell


def _joined(parts: list[U8], axis: int) -> U8:
    size = [*parts[0].shape]
    size[axis] = GAP
    gap = np.full(size, PAPER, np.uint8)
    spaced = [piece for part in parts for piece in (gap, part)][1:]
    return np.concatenate(spaced, axis=axis)


def grey(plane: U8) -> U8:
    """A plane (h, w) as RGB."""
    return np.asarray(cv2.cvtColor(plane, cv2.COLOR_GRAY2RGB), np.uint8)


def fitted(picture: U8, side: int) -> U8:
    """A picture scaled to a longest side: averaged, or with its pixels enlarged."""
    scale = side / max(picture.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), np.uint8)


def over(below: U8, top: U8) -> U8:
    """An RGBA picture with straight alpha over an RGB one, in code values as editors blend."""
    share = top[..., 3:].astype(np.float32) / 255
    return np.asarray(np.rint(below + (top[..., :3] - below.astype(np.float32)) * share), np.uint8)


def write(file: Path, picture: U8, quality: int = 80) -> None:
    """Write a picture as WebP or PNG, by its name."""
    file.parent.mkdir(parents=True, exist_ok=True)
    kind = "png" if file.suffix == ".png" else "webp"
    file.write_bytes(encode(np.ascontiguousarray(picture), Output(kind, quality)))
    print(
        f"{file.name}  {picture.shape[1]} x {picture.shape[0]}  {file.stat().st_size / 1000:.0f} kB",
        flush=True,
    )
