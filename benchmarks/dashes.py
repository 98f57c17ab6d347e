"""Finds lines inside the silhouette that look dashed or jagged in our picture but not in the reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from service.arrays import F32, F64, U8

ACROSS = 1.5  # px on each side of an edge over which the picture is averaged
# least difference of that mean in code values; a one-px line that is 12 too dark or too light causes it
STRONG = 4.0
WINDOW = 97  # px along an edge; a difference longer than half of this is an error, but not a dash
SHIFT = 2  # px by which the reference's edges may be shifted along a line
NEAR = 48  # px; dashes farther apart do not belong to one row
ROW = 3  # least number of dashes of one sign in a row


class Dashes(NamedTuple):
    """The longest dash, px, and the total px of all dashes longer than two."""

    longest: int
    total: int


def dashes(ours: U8, truth: U8, lines: Iterable[F64], near: NDArray[np.bool_]) -> Dashes:
    """The dashes of `ours` (h, w, 3) along closed lines (n, 2) px, where the mask `near` (h, w) holds.

    A dash is too dark or too light, and ends abruptly where the reference is continuous. If the reference
    itself deviates more from the line, its denoiser broke the line, so our picture has no dash there.
    """
    one, other = (cv2.cvtColor(of, cv2.COLOR_RGB2GRAY).astype(np.float32) for of in (ours, truth))
    longest = total = 0
    for line in lines:
        mine, theirs = along(one, line, near), along(other, line, near)
        found = departure(mine - theirs)
        found[np.abs(departure(mine)) < np.abs(departure(theirs))] = 0
        for length in rows(found, breaks(mine, theirs)):
            longest = max(longest, length)
            total += length if length > 2 else 0
    return Dashes(longest, total)


def along(plane: F32, line: F64, near: NDArray[np.bool_]) -> F64:
    """The mean of a plane (h, w) across a closed line, for each of its points; NaN where not `near`."""
    step = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], axis=1) / np.maximum(np.hypot(*step.T), 1e-9)[:, None]
    reach = ACROSS * (np.arange(-5, 6, 2) / 6)
    x, y = (line[:, None, axis] + reach * normal[:, axis, None] - 0.5 for axis in (0, 1))
    seen = cv2.remap(plane, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    column, row = (np.clip(line[:, axis].astype(int), 0, near.shape[1 - axis] - 1) for axis in (0, 1))
    return np.where(near[row, column], seen.mean(axis=1), np.nan)


def departure(values: F64) -> F64:
    """Values along a closed line, minus their running median; NaN where values are NaN."""
    known = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    if len(values) < WINDOW:
        found[known] = values[known] - np.median(values[known]) if known.any() else 0
        return found
    windows = sliding_window_view(np.pad(values, WINDOW // 2, mode="wrap"), WINDOW)[known]
    found[known] = values[known] - np.nanmedian(windows, axis=1)
    return found


def jumps(values: F64) -> F64:
    """The change of values along a closed line over two px; 0 next to unknown values."""
    return np.nan_to_num(np.roll(values, -1) - np.roll(values, 1))


def breaks(mine: F64, theirs: F64) -> F64:
    """The jumps of our values along a closed line; 0 where the reference jumps half as far nearby."""
    jump, other = jumps(mine), jumps(theirs)
    beside = np.stack([np.roll(other, by) for by in range(-SHIFT, SHIFT + 1)])
    alike = np.max(beside * np.sign(jump), axis=0, initial=0)
    jump = np.abs(jump)
    return np.asarray(np.where((jump - alike > STRONG) & (jump > 2 * alike), jump, 0), np.float64)


def rows(values: F64, broken: F64) -> list[int]:
    """The lengths of runs above STRONG that have a `broken` end, a jump of at least half their height.

    Only rows count: ROW or more runs of one sign near each other. Runs with any abrupt end count towards a
    row, since a dash may lie between two glints.
    """
    found: list[int] = []
    abrupt = np.abs(jumps(values))
    for sign in (1, -1):
        # A run that crosses the start of the closed line is a single run.
        turn = int(np.argmin(values * sign > STRONG))
        high = np.roll(values * sign, -turn)
        edges = np.flatnonzero(np.diff(np.r_[0, (high > STRONG).astype(np.int8), 0]))
        starts, stops = edges[::2], edges[1::2]
        ends = (np.stack([starts - 1, starts, stops - 1, stops]) + turn) % len(values)
        row = abrupt[ends].max(axis=0) > STRONG
        starts, stops, jump = starts[row], stops[row], broken[ends].max(axis=0)[row]
        if not len(starts):
            continue
        height = np.array([high[start:stop].max() for start, stop in zip(starts, stops, strict=True)])
        ours = np.where(jump > height / 2, stops - starts, 0)
        for group in np.split(ours, np.flatnonzero(starts[1:] - stops[:-1] > NEAR) + 1):
            if len(group) >= ROW:
                found += [int(length) for length in group if length]
    return found
