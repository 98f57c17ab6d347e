"""The interface of all film encoders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...arrays import U8
from ...render.geometry.raster import Box


@dataclass(frozen=True, slots=True)
class Reel:
    """The properties of a film's file: size in pixels, number and rate of frames, `quality` 10-100.

    Frames have four channels if `alpha`. The file has at most `most` bytes, if given.
    """

    format: str
    width: int
    height: int
    fps: int
    count: int
    alpha: bool
    quality: int
    most: int | None = None

    def at(self, frame: int, units: int) -> int:
        """The time of a frame, rounded to the given units per second; delays are differences of these."""
        return round(frame * units / self.fps)


class Encoder(Protocol):
    """Writes a film's file, frame by frame."""

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """Add a frame, (h, w, 3 or 4) uint8 sRGB, straight alpha; it may be reused at once.

        `changed` is the box that differs from the previous frame, None if all of it may.
        """
        ...

    def finish(self) -> None:
        """Write the rest; raises OSError if the file could not be written."""
        ...
