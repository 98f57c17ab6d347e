"""What all encoders of films have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...arrays import U8
from ...render.geometry.raster import Box


@dataclass(frozen=True, slots=True)
class Reel:
    """A film that is about to be written: its size in pixels, frames and their rate, `quality` 10-100.

    Its frames have four channels if `alpha`. The file has `most` bytes, if given.
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
        """When a frame is shown, in so many units a second, rounded; delays are differences of these."""
        return round(frame * units / self.fps)


class Encoder(Protocol):
    """Writes a film's file, frame by frame."""

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """Add a frame, (h, w, 3 or 4) uint8 sRGB, straight alpha; it may be reused at once.

        `changed` is the box that differs from the frame before, None if all may.
        """
        ...

    def finish(self) -> None:
        """Write what is left; raises OSError if the file could not be written."""
        ...
