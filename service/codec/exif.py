"""EXIF orientation, the only EXIF tag that is used."""

from __future__ import annotations

import struct

from ..limits import EXIF_ENTRIES

ORIENTATION = 0x0112


def orientation(exif: bytes) -> int:
    """The orientation (1-8) in a TIFF-structured EXIF block; 1 when absent or unreadable."""
    exif = exif.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None or len(exif) < 8:
        return 1
    (offset,) = struct.unpack_from(order + "I", exif, 4)
    if offset + 2 > len(exif):
        return 1
    (count,) = struct.unpack_from(order + "H", exif, offset)
    for i in range(min(count, EXIF_ENTRIES)):
        at = offset + 2 + 12 * i
        if at + 12 > len(exif):
            break
        tag, kind, number = struct.unpack_from(order + "HHI", exif, at)
        if tag == ORIENTATION:
            if kind != 3 or number != 1:
                return 1
            (value,) = struct.unpack_from(order + "H", exif, at + 8)
            return value if 1 <= value <= 8 else 1
    return 1
