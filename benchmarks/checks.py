"""Checks without references: text, moiré, banding, every pose, and the time a plate takes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measures import psnr
from benchmarks.posed import picture, screen_corners, spec, warped
from service.arrays import F32, U8
from service.clock import Clock
from service.devices.device import catalogue
from service.render.plates import background
from service.render.plates.plate import ScreenLayer, build
from service.settings.scene import Background, ShadowSpec
from service.validation.color import parse

PHONE = "iphone-16-pro"
FULL_HD = (1920, 1080)
SUPER = 8


def text(width: int, height: int) -> U8:
    """A page of text in several sizes, dark on white and white on dark: (height, width, 3) uint8."""
    page = np.full((height, width, 3), 255, np.uint8)
    page[height * 2 // 3 :] = (24, 26, 32)
    y, row = 60, 0
    while y < height - 20:
        size = (1.0, 1.3, 1.8, 2.6)[row % 4]
        ink = (20, 20, 24) if y < height * 2 // 3 else (240, 240, 244)
        line = "The quick brown fox jumps over the lazy dog 0123456789 " * 3
        cv2.putText(page, line, (24, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1 + row % 3, cv2.LINE_AA)
        y += int(38 * size)
        row += 1
    return page


def supersampled(hole: ScreenLayer, screenshot: U8) -> F32:
    """The screenshot in the screen layer's box; each pixel is the mean of 8 × 8 bilinear samples."""
    width, height = hole.size
    h, w = screenshot.shape[:2]
    to_mm = np.array([[width / w, 0, -width / 2], [0, -height / h, height / 2], [0, 0, 1.0]])
    fine = np.array([[1 / SUPER, 0, 0.5 / SUPER], [0, 1 / SUPER, 0.5 / SUPER], [0, 0, 1.0]])
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
    rows = []
    for y in range(0, hole.box.height, 32):
        count = min(32, hole.box.height - y)
        shift = np.array([[1, 0, hole.box.x], [0, 1, hole.box.y + y], [0, 0, 1.0]])
        back = half @ np.linalg.inv(hole.matrix @ to_mm) @ shift @ fine
        band = cv2.warpPerspective(
            screenshot,
            back,
            (hole.box.width * SUPER, count * SUPER),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        rows.append(
            cv2.resize(band.astype(np.float32), (hole.box.width, count), interpolation=cv2.INTER_AREA)
        )
    return np.concatenate(rows)


def warps(screenshot: U8) -> Iterator[tuple[U8, F32, NDArray[np.bool_]]]:
    """The screenshot, warped by the renderer and supersampled, and its pixels, in several poses."""
    for angles in ((0, 0, 0), (0, -25, 0), (15, -35, 5), (0, 60, 0)):
        of = spec(PHONE, angles, size=FULL_HD)
        plate = build(of, Clock())
        corners = screen_corners(plate)
        hole = plate.screens[0]
        if hole is None or corners is None:
            raise RuntimeError(f"no screen seen at {angles}")
        inside = np.zeros(hole.gain.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.rint(corners - (hole.box.x, hole.box.y)).astype(np.int32), 1)
        deep = cv2.erode(inside, np.ones((9, 9), np.uint8)) > 0
        yield warped(hole, screenshot), supersampled(hole, screenshot), deep


def sharpness() -> float:
    """The least PSNR, dB, of a page of text against its supersampled warp."""
    width, height = catalogue()[PHONE].screen.px
    return min(psnr(ours[inside], truth[inside]) for ours, truth, inside in warps(text(width, height)))


def moire() -> float:
    """The largest slow ripple, code values, of a one-pixel checkerboard that should be a uniform grey."""
    width, height = catalogue()[PHONE].screen.px
    board = (np.indices((height, width)).sum(axis=0) % 2 * 255).astype(np.uint8)
    worst = 0.0
    for ours, _, inside in warps(np.dstack([board] * 3)):
        slow = cv2.GaussianBlur(ours.astype(np.float32), (0, 0), 2.0)
        deep = cv2.erode(inside.astype(np.uint8), np.ones((13, 13), np.uint8)) > 0
        low, high = np.percentile(slow[deep], (0.1, 99.9))
        worst = max(worst, float(high - low))
    return worst


def longest_run(rows: U8) -> int:
    """The longest run of equal pixels along any row of (h, w, 3)."""
    change = (rows[:, 1:] != rows[:, :-1]).any(axis=-1)
    longest = 0
    for row in change:
        edges = np.flatnonzero(np.r_[True, row, True])
        longest = max(longest, int(np.diff(edges).max()))
    return longest


def banding() -> int:
    """The longest run of equal pixels in slow two-colour gradients 1920 px wide."""
    pairs = (("#F2F3F5", "#C9D6FF"), ("#101216", "#2A2E3A"), ("#204080", "#305090"))
    width, height = FULL_HD
    canvas, longest = np.empty((height, width, 4), np.uint8), 0
    for a, b in pairs:
        background.dithered(canvas, Background.of(parse(a), parse(b), angle=90), 0, height)
        longest = max(longest, longest_run(canvas[::16, :, :3]))
    return longest


def plate_ms(rounds: int = 9) -> float:
    """The median time, ms, of a plate at 1920 × 1080 with its shadow, without the first."""
    shadow = ShadowSpec(0.5, 32.0, parse("#000000"), 0.0, -32.0)
    times = []
    for turn in range(rounds + 1):
        # A different angle each time, so that only the device's files can be cached.
        of = spec(
            PHONE,
            (5, -25 + turn * 0.5, 0),
            size=FULL_HD,
            background=Background.of(parse("#F2F3F5")),
            shadow=shadow,
        )
        start = time.perf_counter()
        build(of, Clock())
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.median(times[1:]))


MAGENTA = Background.of(parse("#FF00FF"))


class Sweep(NamedTuple):
    """The findings of turning a device through every pose, with the worst poses.

    `gap`: background pixels inside the silhouette. `pop`: the largest difference, in code values, between a
    picture and the mean of the pictures half a degree to either side; both are blurred by 3 px, so that
    moving edges do not count. `specks`: pixels that differ from both neighbours where those agree.
    """

    gap: int
    gap_at: str
    pop: float
    pop_at: str
    specks: int
    specks_at: str


# The change when a full-contrast line of one pixel appears or disappears, after the blur of sigma 3 below. A
# larger change is a part that pops, not an edge that moves.
LINE = 255 / (3 * math.sqrt(2 * math.pi))


NEAR = 0.1  # degrees; in a turn this small, everything moves by a fraction of a pixel


def sweep(device: str, step: int = 15, size: tuple[int, int] = (480, 360)) -> Sweep:
    """Turn the device in `step` degrees about both axes, also upside down and edge-on, in even light."""
    poses = [(device, rx, ry, size) for rx in range(-90, 91, step) for ry in range(-180, 180, step)]
    # Spawn processes rather than fork them, because the renderer's threads do not survive a fork.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = list(pool.map(_found, poses, chunksize=6))
    worst = (
        max(zip(column, poses, strict=True), key=lambda pair: pair[0]) for column in zip(*found, strict=True)
    )
    gap, pop, speck = (
        (value, f"rotationX {rx}, rotationY {ry}" if value else "") for value, (_, rx, ry, _) in worst
    )
    return Sweep(int(gap[0]), gap[1], pop[0], pop[1], int(speck[0]), speck[1])


def _found(pose: tuple[str, int, int, tuple[int, int]]) -> tuple[float, float, float]:
    """Gaps, pop and specks of one pose."""
    device, rx, ry, size = pose
    before, here, after = (_turned(device, (rx + d / 4, ry + d, 0.0), size) for d in (-0.5, 0, 0.5))
    soft = cv2.GaussianBlur(here - (before + after) / 2, (0, 0), 3.0)
    # A thin line may move by a pixel in half a degree, so specks are compared over a smaller turn.
    left, right = (_turned(device, (rx + d / 4, ry + d, 0.0), size) for d in (-NEAR, NEAR))
    beside = np.abs(here - (left + right) / 2).min(axis=-1)
    lonely = (beside > 60) & (np.abs(left - right).max(axis=-1) < 24)
    return holes(here), float(np.abs(soft).max()), specks(lonely)


def specks(lonely: NDArray[np.bool_]) -> int:
    """The pixels of specks, at most four each; a thin line that falls between two rows is not a speck."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(lonely.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    return int(areas[areas <= 4].sum())


def _turned(device: str, angles: tuple[float, float, float], size: tuple[int, int]) -> F32:
    # The canvas is 1.5 times as large, so that its border cuts nothing: a cut edge would move in jumps.
    of = spec(device, angles, size=(size[0] * 3 // 2, size[1] * 3 // 2), background=MAGENTA)
    of = replace(of, light=0.0, transform=replace(of.transform, scale=2 / 3))
    return picture(of)[0][..., :3].astype(np.float32)


def holes(rgb: F32) -> int:
    """Pixels of pure magenta that are not connected to the picture's border by magenta pixels."""
    empty = ((rgb[..., 0] > 250) & (rgb[..., 1] < 5) & (rgb[..., 2] > 250)).astype(np.uint8)
    framed = np.pad(empty, 1, constant_values=1)
    _, labels = cv2.connectedComponents(framed, connectivity=8)
    return int(((labels != labels[0, 0]) & (framed == 1)).sum())
