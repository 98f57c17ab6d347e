"""A draft laid over its canvas: code values, dithered; the screen's opening in linear light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.render.dither import spread3
from service.render.draft import Draft
from service.render.raster import Box
from service.render.tone import decode16, encode

U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
F32 = NDArray[np.float32]

BAND = 128  # rows


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """Where the screen is seen: a box of the canvas, what is there without it (h, w, 3) and its gain (h, w).

    Both 16-bit linear light.
    """

    box: Box
    base: U16
    gain: U16


def develop(draft: Draft, canvas: U8) -> Opening | None:
    """Lay the draft over the canvas (h, w, 4), in place; returns where the screen is, if it is seen."""
    box, hole = draft.box, lit(draft.gain)
    base = np.empty((hole.height, hole.width, 3), np.uint16)
    part = canvas[box.slices]
    # In bands, since whole frames of floats would cost more memory than the plate itself.
    for y in range(0, box.height if box.width else 0, BAND):
        rows = slice(y, min(y + BAND, box.height))
        code, noise = _over(draft, rows, part[rows])
        top, bottom = max(y, hole.y), min(rows.stop, hole.y + hole.height)
        if top < bottom:
            at = (slice(top - y, bottom - y), slice(hole.x, hole.x + hole.width))
            # A little less noise than half a level each way: whole numbers survive the way through 16 bits.
            dithered = code[at] + (noise[at] - np.float32(0.5)) * np.float32(0.93)
            base[top - hole.y : bottom - hole.y] = decode16(dithered)
        noise += code
        # Where nothing was painted the code is the canvas' own whole number, which the noise leaves alone.
        part[rows, :, :3] = noise.astype(np.uint8)
    if not hole.area:
        return None
    gain = np.clip(draft.gain[hole.slices] * np.float32(65535) + np.float32(0.5), 0, 65535).astype(np.uint16)
    return Opening(Box(box.x + hole.x, box.y + hole.y, hole.width, hole.height), base, gain)


def _over(draft: Draft, rows: slice, under: U8) -> tuple[F32, F32]:
    """Rows of the draft over the canvas `under` (h, w, 4): fractional code values and noise, both (h, w, 3).

    Sets the alpha of `under`, and scales the draft's gain to its share of pixels not fully covered.
    """
    alpha, light = draft.alpha[rows], draft.rgb[rows]
    noise = spread3(draft.box.x, draft.box.y + rows.start, alpha.shape[1], alpha.shape[0])
    y, x = np.nonzero(alpha < 1)
    cover = alpha[y, x]
    full = np.maximum(cover, np.float32(1e-4))
    light[y, x] /= full[:, None]
    code = encode(light)
    below = under[y, x].astype(np.float32)
    opacity = below[:, 3] * np.float32(1 / 255)
    total = cover + opacity * (1 - cover)
    share = np.asarray(cover / np.maximum(total, np.float32(1e-6)), np.float32)
    code[y, x] = below[:, :3] + (code[y, x] - below[:, :3]) * share[:, None]
    # Edges are blended with what was rounded with noise already: round them to the nearest.
    noise[y, x] = np.float32(0.5)
    draft.gain[rows][y, x] *= share / full
    under[..., 3] = 255
    under[y, x, 3] = np.round(total * 255)
    return code, noise


def lit(gain: F32) -> Box:
    """The part of a gain (h, w) where the screen is seen; empty when it is not."""
    seen = gain > 1 / 4096
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return Box(0, 0, 0, 0)
    y, x = int(rows[0]), int(columns[0])
    return Box(x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y)
