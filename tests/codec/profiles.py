"""ICC version 2 profiles, made by hand: matrix, grey and four inks."""

from __future__ import annotations

import struct

import numpy as np

from service.arrays import F64, U8

P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
WHITE = (0.3127, 0.3290)
D50 = np.array((0.9642, 1.0, 0.8249))
# Chromatic adaptation from D65 to D50, as in the sRGB profile's own `chad` tag.
SRGB_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
ADAPT = np.array(
    (
        (1.0478112, 0.0228866, -0.0501270),
        (0.0295424, 0.9904844, -0.0170491),
        (-0.0092345, 0.0150436, 0.7521316),
    )
)


def to_xyz(primaries: tuple[tuple[float, float], ...] = P3) -> F64:
    """Linear RGB to XYZ under D65."""
    columns = np.array([(x / y, 1, (1 - x - y) / y) for x, y in primaries]).T
    white = np.array((WHITE[0] / WHITE[1], 1, (1 - WHITE[0] - WHITE[1]) / WHITE[1]))
    return np.asarray(columns * np.linalg.solve(columns, white))


def linear(code: F64) -> F64:
    return np.asarray(np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4))


def encoded(light: F64) -> F64:
    light = np.clip(light, 0, 1)
    return np.asarray(np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055))


def p3_as_srgb(pixels: U8) -> F64:
    """Display P3 pixels converted to sRGB: levels 0-255, not rounded."""
    matrix = np.linalg.inv(to_xyz(SRGB)) @ to_xyz(P3)
    return encoded(linear(pixels / 255) @ matrix.T) * 255


def display_p3(*curves: bytes) -> bytes:
    """A Display P3 profile with given curves for red, green and blue, with one for all, or with sRGB's."""
    columns = (ADAPT @ to_xyz(P3)).T
    given = curves or (curve(linear(np.linspace(0, 1, 4096))),)
    red, green, blue = given if len(given) == 3 else given * 3
    tags = {b"wtpt": xyz(D50), b"rTRC": red, b"gTRC": green, b"bTRC": blue}
    tags |= {name: xyz(column) for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns, strict=True)}
    return profile(b"RGB ", b"XYZ ", tags)


def grey(exponent: float) -> bytes:
    return profile(b"GRAY", b"XYZ ", {b"wtpt": xyz(D50), b"kTRC": curve(np.linspace(0, 1, 1024) ** exponent)})


def four_inks(lightness: float) -> bytes:
    """A CMYK profile with neutral inks: paper has L* 100, and any single ink at full strength has L*
    `lightness`."""
    grid = np.zeros((2, 2, 2, 2, 3), np.uint8)
    grid[..., 1:] = 128
    grid[..., 0] = round(lightness * 2.55)
    grid[0, 0, 0, 0, 0] = 255
    identity = bytes(range(256))
    head = b"mft1" + struct.pack(">IBBBB9i", 0, 4, 3, 2, 0, *(65536 * (i % 4 == 0) for i in range(9)))
    lut = head + identity * 4 + grid.tobytes() + identity * 3
    return profile(b"CMYK", b"Lab ", {b"wtpt": xyz(D50), b"A2B0": lut, b"A2B1": lut}, b"prtr")


def curve(light: F64) -> bytes:
    values = np.rint(light * 65535).astype(">u2")
    return b"curv" + struct.pack(">II", 0, len(values)) + values.tobytes()


def xyz(value: F64) -> bytes:
    return b"XYZ " + struct.pack(">I3i", 0, *(round(float(v) * 65536) for v in value))


def profile(space: bytes, pcs: bytes, tags: dict[bytes, bytes], kind: bytes = b"mntr") -> bytes:
    text = b"test\0"
    words = {
        b"desc": b"desc" + struct.pack(">II", 0, len(text)) + text + b"\0" * 78,
        b"cprt": b"text\0\0\0\0" + text,
    }
    table, body = b"", b""
    start = 132 + 12 * (len(tags) + 2)
    for name, content in (words | tags).items():
        table += name + struct.pack(">II", start + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    size = start + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"\0" * 4, 0x02100000, kind, space, pcs)
    head += b"\0" * 12 + b"acsp" + b"\0" * 28 + struct.pack(">3i", *(round(v * 65536) for v in D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags) + 2) + table + body
