"""Signs on keys, as signed distances in mm; each is about twice its `radius` high."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import circle, ring, segment
from service.arrays import F64

LINE = 0.36  # mm


def power(x: F64, y: F64, radius: float) -> F64:
    """A circle, open at the top, with a line in the opening."""
    arc = np.maximum(ring(circle(x, y, radius), LINE), np.minimum(radius * 0.5 - np.abs(x), y))
    return np.minimum(arc, segment(x, y, (0.0, radius * 0.2), (0.0, radius * 1.2), LINE))
