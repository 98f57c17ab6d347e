"""Matrix profiles (curves and three primaries, as those of displays) applied by table and matrix.

Little CMS takes four times as long; `color/convert.py` compares both ways before it uses this one.
Formulas: ICC.1:2022, annex F.3 for the model, 10.6 and 10.18 for the curves.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, F64, U8, U16
from ...srgb import SRGB8
from .icc import BT709, matrix

COLUMNS = (b"rXYZ", b"gXYZ", b"bXYZ")
CURVES = (b"rTRC", b"gTRC", b"bTRC")
# Tables that go before the matrix, where a profile has them.
TABLES = (b"A2B0", b"A2B1", b"D2B0", b"D2B1")
# Pixels at a time, so that the wide intermediate values stay in the cache.
STRIP = 1 << 16


@dataclass(frozen=True, slots=True)
class Matrix:
    """Linear light, 0-65535, of the 256 levels, and the 3 x 3 matrix from it to linear sRGB.

    The `curves` are 1 x 256 x 3, or 1 x 256 where all colours have the same curve, as on most displays.
    """

    curves: U16
    matrix: F32

    def apply(self, pixels: U8) -> U8:
        """HxWx3 or HxWx4 uint8 of this profile as sRGB, rounded; alpha stays."""
        height, width, channels = pixels.shape
        result = np.empty((height, width, channels), np.uint8)
        step = max(1, STRIP // width)
        for top in range(0, height, step):
            rows = pixels[top : top + step]
            rgb = rows if channels == 3 else cv2.cvtColor(rows, cv2.COLOR_RGBA2RGB)
            # Saturates to 0-65535, which clips colours outside sRGB.
            light = cv2.transform(cv2.LUT(rgb, self.curves), self.matrix)
            shown = cv2.LUT(light, SRGB8)
            part = result[top : top + step]
            if channels == 4:
                # Quicker than mixing all four channels at once.
                cv2.cvtColor(shown, cv2.COLOR_RGB2RGBA, dst=part)
                cv2.mixChannels([rows], [part], [3, 3])
            else:
                part[...] = shown
        return result


def parse(profile: bytes) -> Matrix | None:
    """The model of a matrix profile; None for other kinds and for malformed profiles."""
    try:
        tags = _tags(profile)
        if profile[16:24] != b"RGB XYZ " or any(name in tags for name in TABLES):
            return None
        columns = np.array([_xyz(tags[name]) for name in COLUMNS]).T
        curves = np.stack([_curve(tags[name]) for name in CURVES], axis=1)
    except (KeyError, ValueError, struct.error, OverflowError, FloatingPointError):
        return None
    to_srgb = np.linalg.inv(matrix(BT709)) @ columns
    if not (np.isfinite(curves).all() and np.isfinite(to_srgb).all()):
        return None
    light = np.round(np.clip(curves, 0, 1) * 65535).astype(np.uint16).reshape(1, 256, 3)
    # One table for all colours takes little more than half the time of three.
    same = (light == light[..., :1]).all()
    return Matrix(np.ascontiguousarray(light[..., 0]) if same else light, to_srgb.astype(np.float32))


def _tags(profile: bytes) -> dict[bytes, bytes]:
    (count,) = struct.unpack_from(">I", profile, 128)
    found = {}
    for i in range(min(count, 100)):
        name, start, size = struct.unpack_from(">4sII", profile, 132 + 12 * i)
        found[name] = profile[start : start + size]
    return found


def _xyz(tag: bytes) -> list[float]:
    if tag[:4] != b"XYZ ":
        raise ValueError("not XYZ")
    return [value / 65536 for value in struct.unpack_from(">3i", tag, 8)]


def _curve(tag: bytes) -> F64:
    """Linear light 0-1 of the 256 code values."""
    code = np.linspace(0, 1, 256)
    if tag[:4] == b"curv":
        (count,) = struct.unpack_from(">I", tag, 8)
        if count == 0:
            return code
        if count == 1:
            return np.asarray(code ** (struct.unpack_from(">H", tag, 12)[0] / 256))
        table = np.frombuffer(tag, ">u2", count, 12) / 65535
        return np.interp(code, np.linspace(0, 1, count), table)
    if tag[:4] != b"para":
        raise ValueError("an unknown curve")
    (form,) = struct.unpack_from(">H", tag, 8)
    number = (1, 3, 4, 5, 7)[form] if form < 5 else 0
    g, a, b, c, d, e, f = (*(v / 65536 for v in struct.unpack_from(f">{number}i", tag, 12)), *[0.0] * 7)[:7]
    if form == 0:
        return np.asarray(code**g)
    if form in (1, 2):
        # Below -b/a the curve is the constant c; form 1 has no c.
        d, e, f, c = -b / a, c, c, 0.0
    with np.errstate(all="raise"):
        power = np.maximum(a * code + b, 0) ** g + e
    return np.asarray(np.where(code >= d, power, c * code + f))
