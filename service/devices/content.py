"""The opaque part of a screenshot with transparent corners, such as a window with its shadow; no pixels."""

from __future__ import annotations

from dataclasses import dataclass

Bounds = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Content:
    """The `box` of a screenshot of `size` px outside which it is transparent: left, top, width, height in px.

    The box of a screenshot without visible pixels is empty.

    A `window` is a rectangle with corners of `radius` px; its box leaves out the shadow, and there is nothing
    else around it.
    """

    size: tuple[int, int]
    box: Bounds
    window: bool = False
    radius: float = 0.0

    @property
    def margin(self) -> float:
        """The share of the screenshot's area that lies outside the box, 0-1."""
        return 1 - self.box[2] * self.box[3] / (self.size[0] * self.size[1])
