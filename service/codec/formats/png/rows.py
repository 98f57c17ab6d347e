"""Rows of a PNG's samples, unfiltered in strips that stay in the processor's cache.

A strip is undone as a picture of its own whose first row is the last one of the strip before, which the
filters of its next row refer to (PNG specification, 9.2). Filters know bytes alone, and how many of them a
pixel takes; so every form of PNG is read as one of the six that OpenCV keeps apart.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import U8
from service.codec.formats.png.header import CHANNELS
from service.codec.formats.png.stored import Inflate, strips, wrap
from service.codec.picture import damaged

STRIP_BYTES = 1 << 20
NONE, SUB, UP = 0, 1, 2  # the filters that are undone for whole rows or columns at a time
# The colour type and depth that take so many bytes a pixel.
FORMS = {1: (0, 8), 2: (0, 16), 3: (2, 8), 4: (6, 8), 6: (2, 16), 8: (6, 16)}

Samples = NDArray[np.uint8 | np.uint16]


def unfiltered(inflate: Inflate, height: int, row: int, step: int) -> Iterator[Samples]:
    """Yield `height` rows of `row` bytes, some at a time; filters refer to what is `step` bytes ahead.

    As (n, row) uint8 for a step of 1, (n, row / 2) uint16 for 2, and (n, pixels, 3 or 4) of 8 bits for 3 and
    4 and of 16 for 6 and 8. What is yielded may be overwritten by the next.
    """
    kind, depth = FORMS[step]
    width = row // step
    for strip in strips(inflate, height, row, max(1, STRIP_BYTES // row)):
        samples = _summed(strip, kind, depth)
        if samples is None:
            samples = _read(struct.pack(">IIBB3x", width, len(strip), depth, kind), strip, kind)[1:]
        strip[0, 1:] = samples[-1:].astype(samples.dtype.newbyteorder(">")).view(np.uint8).reshape(-1)
        yield samples


def _summed(strip: U8, kind: int, depth: int) -> Samples | None:
    """The strip's samples behind its first row, None when there are filters that NumPy is slow at."""
    filters = strip[1:, 0]
    if filters.max() > UP or (depth > 8 and SUB in filters):
        return None
    if SUB in filters:
        _undo_sub(strip, CHANNELS[kind])
    if UP in filters:
        _add_up(strip[:, 1:], filters == UP)
    rows = strip[1:, 1:]
    samples = rows if depth == 8 else np.ascontiguousarray(rows).view(">u2").astype(np.uint16)
    return samples.reshape(len(rows), -1, CHANNELS[kind]) if kind else samples


def _undo_sub(strip: U8, channels: int) -> None:
    """Add to every pixel the one on its left, in the rows that have Sub, all of them at a time."""
    which = np.flatnonzero(strip[1:, 0] == SUB) + 1
    rows = strip[which, 1:].reshape(len(which), -1, channels)
    columns = np.asarray(cv2.transpose(rows), np.uint8)
    _add_up(columns.reshape(len(columns), -1), itertools.repeat(True))
    strip[which, 1:] = cv2.transpose(columns).reshape(len(which), -1)


def _add_up(rows: U8, wanted: Iterable[bool]) -> None:
    """Add to each row but the first the one above it, where it is `wanted`."""
    above = rows[0]
    for row, add in zip(rows[1:], wanted, strict=False):
        if add:
            # In this very order of arguments: keywords take longer than the sum.
            np.add(row, above, row)
        above = row


def _read(ihdr: bytes, rows: U8, kind: int) -> Samples:
    """OpenCV's reading of filtered rows: grey, RGB or RGBA."""
    file = wrap(ihdr, rows.reshape(-1).data)
    samples = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if samples is None or samples.ndim != (3 if kind else 2):
        raise damaged("PNG", "it could not be decoded")
    if kind:
        order = cv2.COLOR_BGR2RGB if kind == 2 else cv2.COLOR_BGRA2RGBA
        samples = cv2.cvtColor(samples, order, dst=samples)
    return np.asarray(samples)
