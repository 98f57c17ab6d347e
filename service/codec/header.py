"""A screenshot's header, read and checked before any decoder sees the file."""

from __future__ import annotations

from collections.abc import Callable

from service.codec.headers import gif, jpeg, png, webp
from service.codec.headers.others import name_of
from service.codec.picture import ACCEPTED, LIMITS, Header, Limits, refuse

__all__ = ["Header", "Limits", "read"]

# Told apart by their first bytes; a name or a declared type never counts.
READERS: tuple[tuple[Callable[[bytes], bool], Callable[[bytes, Limits], Header]], ...] = (
    (png.matches, png.read),
    (jpeg.matches, jpeg.read),
    (webp.matches, webp.read),
    (gif.matches, gif.read),
)


def read(data: bytes, limits: Limits = LIMITS) -> Header:
    """Read and check the header of a PNG, JPEG, WebP or GIF; raises MockupError naming what was found."""
    for matches, reader in READERS:
        if matches(data):
            return reader(data, limits)
    raise refuse(f"{name_of(data)}; {ACCEPTED}")
