"""Pairs for a blind test: our picture beside the path tracer's, in random order, and a separate key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import Case
from service.arrays import F32, U8
from service.render.dither import spread

TIMES = 2  # enlargement
MARGIN = 12  # px around the device
GAP = 24  # px between the two pictures, at the final size


def beside(left: U8, right: U8) -> U8:
    """Two pictures (h, w, 3) enlarged, with white between."""
    large = [cv2.resize(of, None, fx=TIMES, fy=TIMES, interpolation=cv2.INTER_CUBIC) for of in (left, right)]
    gap = np.full((large[0].shape[0], GAP, 3), 255, np.uint8)
    return np.hstack([large[0], gap, large[1]])


def cut(ours: U8, truth: U8, inside: NDArray[np.bool_]) -> tuple[U8, U8]:
    """Our picture and the reference, cut to where the mask (h, w) holds, with a margin."""
    rows, columns = (np.flatnonzero(inside.any(axis=axis)) for axis in (1, 0))
    box = tuple(slice(max(at[0] - MARGIN, 0), at[-1] + MARGIN + 1) for at in (rows, columns))
    return ours[box], truth[box]


def rounded(code: F32) -> U8:
    """Code values (h, w, 3) rounded with the renderer's dither, since banding would reveal the reference."""
    height, width = code.shape[:2]
    offsets = np.dstack([spread(0, 0, width, height, channel) for channel in range(3)])
    noisy = np.clip(code + offsets, 0, 255)
    return np.asarray(noisy, np.uint8)


def chosen(cases: Sequence[Case], count: int, random: Random) -> list[Case]:
    """Some of the held-out cases, or of all cases when none is held out, in random order."""
    held = [case for case in cases if case.held] or list(cases)
    return random.sample(held, min(count, len(held)))


def write(folder: Path, pairs: Sequence[tuple[Case, U8, U8]], random: Random) -> Path:
    """Write pairs (case, ours, truth) as 01.png and so on, and the key beside the folder; returns the key."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    lines = []
    left = [random.random() < 0.5 for _ in pairs]
    for number, ((case, ours, truth), first) in enumerate(zip(pairs, left, strict=True), 1):
        picture = beside(ours, truth) if first else beside(truth, ours)
        cv2.imwrite(str(folder / f"{number:02d}.png"), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        lines.append(f"{number:02d}: path-traced on the {'right' if first else 'left'}, {case.name}\n")
    key = folder.with_name(f"{folder.name}-key.txt")
    key.write_text("".join(lines))
    return key
