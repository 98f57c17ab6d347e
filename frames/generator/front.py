"""What is drawn on phones and tablets besides lenses: the earpiece, and contacts on the back."""

from __future__ import annotations

from frames.generator.outline import pill
from frames.generator.paint import Canvas


def earpiece(size: tuple[float, float]) -> Canvas:
    """A slit in the front glass."""
    width, height = size
    slit = Canvas((width + 0.6, height + 0.6), 20)
    slit.fill(pill(slit.x, slit.y, width + 0.2, height + 0.2), "#17171a")
    slit.fill(pill(slit.x, slit.y, width, height), "#000000")
    return slit


def connector() -> Canvas:
    """Three contacts on a tablet's back, one above the other."""
    canvas = Canvas((3.2, 13.0), 16)
    for step in (-4.0, 0.0, 4.0):
        d = pill(canvas.x, canvas.y - step, 2.2, 2.2)
        canvas.fill(d - 0.12, "#000000", 0.35)
        canvas.fill(d, "#cfc9ba", 0.75)
    return canvas
