"""Lines inside the silhouette that break into dashes or saw teeth where the truth's run on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from service.arrays import F32, F64, U8

ACROSS = 1.5  # px to either side of an edge over which the picture is averaged
STRONG = 4.0  # code values of that mean: a line of one px that is 12 too dark or too light
WINDOW = 97  # px; what holds for longer than half of it along an edge is an error, but no dash
NEAR = 48  # px; dashes that are farther apart are no row of dashes
ROW = 3  # dashes of one sign that make a row


class Dashes(NamedTuple):
    """The longest dash, px, and the px of all dashes of more than two."""

    longest: int
    total: int


def dashes(ours: U8, truth: U8, lines: Iterable[F64], near: NDArray[np.bool_]) -> Dashes:
    """The dashes of `ours` (h, w, 3) along closed lines (n, 2) px, where the mask `near` (h, w) holds.

    Where the truth departs more from the run of a line, its denoiser broke it: that is no dash of ours.
    """
    one, other = (cv2.cvtColor(of, cv2.COLOR_RGB2GRAY).astype(np.float32) for of in (ours, truth))
    longest = total = 0
    for line in lines:
        mine, theirs = along(one, line, near), along(other, line, near)
        found = np.nan_to_num(departure(mine - theirs))
        found[~(np.abs(departure(mine)) >= np.abs(departure(theirs)))] = 0
        for length in rows(found):
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
    """Values along a closed line less their running median, NaN where they are."""
    known = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    if len(values) < WINDOW:
        found[known] = values[known] - np.median(values[known]) if known.any() else 0
        return found
    windows = sliding_window_view(np.pad(values, WINDOW // 2, mode="wrap"), WINDOW)[known]
    found[known] = values[known] - np.nanmedian(windows, axis=1)
    return found


def rows(values: F64) -> list[int]:
    """The lengths of runs above STRONG with an abrupt end, ROW or more of one sign near each other."""
    found: list[int] = []
    jump = np.abs(np.roll(values, -1) - np.roll(values, 1))
    for sign in (1, -1):
        strong = values * sign > STRONG
        ends = np.flatnonzero(np.diff(np.r_[0, strong.astype(np.int8), 0]))
        runs = [
            (start, stop)
            for start, stop in zip(ends[::2], ends[1::2], strict=True)
            if max(jump[start - 1], jump[start], jump[stop - 1], jump[stop % len(jump)]) > STRONG
        ]
        if not runs:
            continue
        starts, stops = np.array(runs).T
        groups = np.split(stops - starts, np.flatnonzero(starts[1:] - stops[:-1] > NEAR) + 1)
        found += [int(length) for group in groups if len(group) >= ROW for length in group]
    return found
