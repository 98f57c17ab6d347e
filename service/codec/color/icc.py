"""ICC profiles built from primaries and a transfer curve, so that all colour tags share one conversion.

Formulas: ICC.1:2022 for the file, Lindbloom for primaries to matrix and the Bradford adaptation to D50,
ITU-T H.273 for the code points of cICP.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from ...arrays import F64

D50 = (0.9642, 1.0, 0.8249)
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])

D65_XY = (0.3127, 0.3290)
# The chromaticities x and y of white, red, green and blue.
BT709 = (*D65_XY, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06)
PRIMARIES: dict[int, tuple[float, ...]] = {
    1: BT709,
    4: (0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08),
    5: (*D65_XY, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06),
    6: (*D65_XY, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070),
    7: (*D65_XY, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070),
    9: (*D65_XY, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046),
    11: (0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
    12: (*D65_XY, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
}
SRGB_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
# Screens and browsers show pictures with the video curves (1, 6, 14, 15) as if they were sRGB.
SRGB_LIKE = (1, 2, 6, 13, 14, 15)
GAMMAS = {4: 2.2, 5: 2.8, 8: 1.0, 17: 2.6}
# Luminance of white on an ordinary screen within an HDR picture, cd/m² (ITU-R BT.2408).
WHITE_NITS = 203.0
STEPS = 1024


def from_cicp(primaries: int, transfer: int) -> bytes | None:
    """The profile of PNG's cICP code points, None for sRGB and for undefined code points.

    PQ and HLG are clipped at the white of an ordinary screen.
    """
    points = PRIMARIES.get(primaries)
    if points is None or (primaries == 1 and transfer in SRGB_LIKE):
        return None
    return _cicp(points, transfer)


@cache
def _cicp(points: tuple[float, ...], transfer: int) -> bytes | None:
    if transfer in SRGB_LIKE:
        return build(points, parametric(*SRGB_CURVE))
    if transfer in GAMMAS:
        return build(points, parametric(GAMMAS[transfer]))
    curve = {16: _pq, 18: _hlg}.get(transfer)
    return build(points, sampled(curve)) if curve else None


def from_gamma(exponent: float, points: Sequence[float] | None, *, srgb: bool) -> bytes | None:
    """The profile of PNG's gAMA (decoding `exponent`) and cHRM (`points`, white first); None for sRGB.

    `srgb` says that the exponent is the one by which profiles approximate the sRGB curve.
    """
    usual = points is None or max(abs(a - b) for a, b in zip(points, BT709, strict=True)) < 0.002
    if srgb and usual:
        return None
    if points is not None and any(y <= 0 for y in points[1::2]):
        return None
    curve = parametric(*SRGB_CURVE) if srgb else parametric(exponent)
    try:
        return build(BT709 if usual or points is None else points, curve)
    except np.linalg.LinAlgError:
        return None


@cache
def srgb() -> bytes:
    """A small sRGB profile to tag pictures with."""
    return build(BT709, parametric(*SRGB_CURVE), "sRGB")


def parametric(*parameters: float) -> bytes:
    """A `para` curve: a plain exponent, or sRGB's form (g, a, b, c, d)."""
    form = {1: 0, 5: 3}[len(parameters)]
    return b"para" + struct.pack(f">IHH{len(parameters)}i", 0, form, 0, *map(_fixed, parameters))


def sampled(curve: Callable[[F64], F64]) -> bytes:
    """A `curv` table of `curve`, a function from code value 0-1 to light 0-1."""
    light = np.clip(curve(np.linspace(0, 1, STEPS)), 0, 1)
    return b"curv" + struct.pack(">II", 0, STEPS) + np.rint(light * 65535).astype(">u2").tobytes()


def matrix(points: Sequence[float]) -> F64:
    """The 3 x 3 matrix from linear RGB to XYZ under D50; `points` are x, y of white, red, green, blue."""
    xyz = [np.array([x / y, 1.0, (1 - x - y) / y]) for x, y in zip(points[::2], points[1::2], strict=True)]
    white, primaries = xyz[0], np.stack(xyz[1:], axis=1)
    rgb = primaries * np.linalg.solve(primaries, white)
    cone = BRADFORD @ np.array(D50) / (BRADFORD @ white)
    adapted: F64 = np.linalg.inv(BRADFORD) @ np.diag(cone) @ BRADFORD @ rgb
    return adapted


def build(points: Sequence[float], curve: bytes, name: str = "RGB") -> bytes:
    """A version 4 display profile of three primaries and one curve."""
    columns = matrix(points).T
    if np.abs(columns).max() > 100:
        raise np.linalg.LinAlgError("primaries on one line")
    text = b"mluc" + struct.pack(">IIIHHII", 0, 1, 12, 0x656E, 0x5553, 2 * len(name), 28)
    text += name.encode("utf-16-be")
    tags = [(b"desc", text), (b"cprt", text), (b"wtpt", _xyz(D50))]
    tags += [(kind, _xyz(column)) for kind, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns, strict=True)]
    tags += [(kind, curve) for kind in (b"rTRC", b"gTRC", b"bTRC")]
    return _file(tags)


def _file(tags: list[tuple[bytes, bytes]]) -> bytes:
    at = 128 + 4 + 12 * len(tags)
    places: dict[bytes, int] = {}
    table, body = b"", b""
    for kind, content in tags:
        if content not in places:
            places[content] = at + len(body)
            body += content + b"\0" * (-len(content) % 4)
        table += kind + struct.pack(">II", places[content], len(content))
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"\0" * 4, 0x04300000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + b"\0" * 28
    head += struct.pack(">3i", *map(_fixed, D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def _xyz(value: Sequence[float] | F64) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">3i", *(_fixed(float(v)) for v in value))


def _fixed(value: float) -> int:
    return round(value * 65536)


def _pq(code: F64) -> F64:
    """SMPTE ST 2084, relative to the white of an ordinary screen."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    p = code ** (1 / m2)
    light: F64 = (np.maximum(p - c1, 0) / (c2 - c3 * p)) ** (1 / m1) * 10_000 / WHITE_NITS
    return light


def _hlg(code: F64) -> F64:
    """ARIB STD-B67 with the reference system gamma; code 0.75 is white."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(code <= 0.5, code**2 / 3, (np.exp((code - c) / a) + b) / 12)
    light: F64 = (scene * 12 / 3.1796) ** 1.2
    return light
