"""A screenshot's header, read and checked before any decoder sees the file."""

from __future__ import annotations

from collections.abc import Callable

from ..settings.formats import READ
from ..validation.names import listed
from .formats import parts
from .picture import LIMITS, Header, PictureLimits, refuse
from .unsupported import CONVERSIONS, name_of

__all__ = ["Header", "PictureLimits", "read"]

READERS: dict[str, Callable[[bytes, PictureLimits], Header]] = parts(READ, "header", "read")
ACCEPTED = f"{listed([one.label for one in READ], 'and')} are accepted"


def read(data: bytes, limits: PictureLimits = LIMITS) -> Header:
    """Read and check the header of a screenshot; raises MockupError that names the format found.

    The first bytes decide the format; names and declared types are ignored.
    """
    for one in READ:
        if one.matches(data):
            return READERS[one.name](data, limits)
    name = name_of(data)
    conversion = f"; convert it with {CONVERSIONS[name]}" if name in CONVERSIONS else ""
    raise refuse(f"{name}; {ACCEPTED}{conversion}")
