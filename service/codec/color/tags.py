"""The ICC profile of a file's colours, built in the process that decodes it."""

from __future__ import annotations

import zlib

from ...limits import ICC_BYTES
from ...settings.formats import FORMATS
from ..picture import Header, oversized_profile
from .icc import from_cicp, from_gamma

SRGB_GAMMA = 45455


def profile(data: bytes, header: Header) -> bytes | None:
    """The profile that applies to the file `data`, None for sRGB.

    Raises MockupError if the profile is too large. A profile that cannot be unpacked is ignored.
    """
    tags = header.tags
    if tags.cicp is not None:
        return from_cicp(*tags.cicp)
    embedded = b"".join(data[start:end] for start, end in tags.icc)
    if tags.packed:
        embedded = _unpacked(embedded)
    if len(embedded) > ICC_BYTES:
        raise oversized_profile(FORMATS[header.format].label)
    if embedded:
        return embedded
    if tags.gamma is None:
        return None
    points = tags.points and [value / 1e5 for value in tags.points]
    return from_gamma(1e5 / tags.gamma, points, srgb=abs(tags.gamma - SRGB_GAMMA) <= 500)


def _unpacked(packed: bytes) -> bytes:
    """The inflated profile, at most one byte over the limit; empty if malformed."""
    try:
        return zlib.decompressobj().decompress(packed, ICC_BYTES + 1)
    except zlib.error:
        return b""
