"""Measures of similarity: SSIM, CIEDE2000, overlap, PSNR, and the positions of straight edges."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F64, U8

ROUND = 0.02  # share of a side that is skipped next to each rounded end
LONGEST = 0.4  # share of a side that a rounded end may take
NEAR = 0.1  # px; places within this distance of the line through all places belong to the edge
MIDDLE = (0.27, 0.73)  # share of a side along which its edge is sought first, far from any rounded end
# least number of the 80 places there that must show the edge; beside a wide notch, only the ends do
FEWEST = 20


def ssim_map(a: U8, b: U8) -> F64:
    """Structural similarity of two RGB pictures' luma, by pixel: 11 × 11 Gaussian of 1.5 px (Wang 2004)."""
    x, y = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float64) for picture in (a, b))

    def mean(plane: F64) -> F64:
        return np.asarray(cv2.GaussianBlur(plane, (11, 11), 1.5), np.float64)

    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mx, my = mean(x), mean(y)
    vx, vy, both = mean(x * x) - mx * mx, mean(y * y) - my * my, mean(x * y) - mx * my
    return ((2 * mx * my + c1) * (2 * both + c2)) / ((mx * mx + my * my + c1) * (vx + vy + c2))


def lab(rgb: U8) -> F64:
    """CIELAB (D65) of sRGB code values."""
    code = rgb.astype(np.float64) / 255
    light = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    matrix = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    t = light @ matrix.T / matrix.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(p: F64, q: F64) -> F64:
    """Colour difference of CIELAB colours (..., 3), after Sharma, Wu, Dalal (2005)."""
    lightness = (p[..., 0] + q[..., 0]) / 2
    chroma = (np.hypot(p[..., 1], p[..., 2]) + np.hypot(q[..., 1], q[..., 2])) / 2
    g = 0.5 * (1 - np.sqrt(chroma**7 / (chroma**7 + 25.0**7)))
    a1, a2 = (1 + g) * p[..., 1], (1 + g) * q[..., 1]
    c1, c2 = np.hypot(a1, p[..., 2]), np.hypot(a2, q[..., 2])
    h1 = np.degrees(np.arctan2(p[..., 2], a1)) % 360
    h2 = np.degrees(np.arctan2(q[..., 2], a2)) % 360
    grey = c1 * c2 == 0
    turn = np.where(grey, 0, (h2 - h1 + 180) % 360 - 180)
    # A hue difference of exactly half a turn counts as positive.
    turn = np.where(~grey & (np.abs(h2 - h1) == 180), h2 - h1, turn)
    far = np.abs(h1 - h2) > 180
    hue = np.where(grey, h1 + h2, (h1 + h2 + np.where(far, np.where(h1 + h2 < 360, 360, -360), 0)) / 2)
    dl, dc = q[..., 0] - p[..., 0], c2 - c1
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    mean = (c1 + c2) / 2
    t = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    sl = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * mean, 1 + 0.015 * mean * t
    twist = -2 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    twist = twist * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    x, y, z = dl / sl, dc / sc, dh / sh
    return np.asarray(np.sqrt(np.maximum(x * x + y * y + z * z + twist * y * z, 0)), np.float64)


def overlap(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Intersection over union of two coverages, 0-1."""
    return float(np.minimum(a, b).sum() / np.maximum(a, b).sum())


def psnr(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Peak signal to noise, dB, of code values 0-255."""
    error = float(np.mean((a.astype(np.float64) - b.astype(np.float64)) ** 2))
    return 10 * float(np.log10(255**2 / max(error, 1e-9)))


def _line(places: F64) -> tuple[F64, F64]:
    """The middle and the direction of the line through places (n, 2) that has the least squared distances."""
    middle = places.mean(axis=0)
    return middle, np.linalg.svd(places - middle)[2][0]


def corners(
    mask: NDArray[Any], guess: F64, rounded: tuple[float, float] = (0.0, 0.0), reach: float = 2.5
) -> F64:
    """Where the straight sides of a lit rectangle, seen in perspective, meet, (4, 2) px, near `guess` (4, 2).

    A line is fitted through the places where the coverage (0-1) passes a half along each side, except beside
    its ends and a notch in its middle; `rounded` are the shares of the first and the second side that a
    rounded end takes. Corners are NaN if a side leaves the picture or has no straight part, because a short
    piece does not determine a line.
    """
    field = mask.astype(np.float32)
    size = np.array(field.shape[::-1])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    seen_from = cv2.getPerspectiveTransform(square, guess.astype(np.float32))
    lines = []
    sides = zip(guess, np.roll(guess, -1, axis=0), square, np.roll(square, -1, axis=0), strict=True)
    for number, (start, end, one, other) in enumerate(sides):
        step = end - start
        clear = rounded[number % 2] + ROUND
        straight = np.array([[clear], [1 - clear]]) * (other - one) + one
        straight = cv2.perspectiveTransform(straight[None], seen_from)
        whole = (straight[0] - start) @ step / (step @ step)
        covered = np.empty(0)
        for first, last in (np.clip(whole, *MIDDLE), whole):
            along = np.r_[np.linspace(first, 0.44, 40), np.linspace(0.56, last, 40)][:, None]
            base = start + along * step
            if clear > LONGEST or ((base < reach) | (base > size - reach)).any():
                break
            normal = np.array([-step[1], step[0]]) / np.hypot(*step)
            offset = np.linspace(-reach, reach, 101)
            x, y = (base[:, None, i] + offset * normal[i] - 0.5 for i in range(2))
            seen = cv2.remap(field, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
            if seen[:, -1].mean() < seen[:, 0].mean():
                seen = 1 - seen
            # If there is one crossing, its position follows from the covered length.
            covered = np.trapezoid(seen, offset, axis=1)
            crossed = (seen.min(axis=1) < 0.5) & (seen.max(axis=1) > 0.5)
            if crossed.sum() >= FEWEST:
                break
        if not covered.size:
            lines.append((np.full(2, np.nan), np.full(2, np.nan)))
            continue
        usual = np.median(covered[crossed] if crossed.any() else covered)
        places = (base + (reach - covered)[:, None] * normal)[np.abs(covered - usual) < 1.0]
        middle, direction = _line(places)
        # The rounded shoulders of a notch pass for places of the edge at first.
        off = np.abs((places - middle) @ (-direction[1], direction[0]))
        lines.append(_line(places[off <= max(NEAR, np.median(off))]))
    found = []
    for (p, u), (q, v) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        found.append(p + u * np.linalg.solve(np.column_stack([u, -v]), q - p)[0])
    return np.array(found)
