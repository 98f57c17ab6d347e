"""How raised parts darken what they stand on."""

from __future__ import annotations

import numpy as np

from frames.generator.outline import Field
from frames.generator.paint import Canvas


def contact(distance: Field) -> Field:
    """Light (0-1) that reaches a surface `distance` mm from a raised part: 1 - .5e^(-d/.7) - .12e^(-d/3)."""
    d = np.maximum(distance, 0)
    return np.asarray(1 - 0.5 * np.exp(-d / 0.7) - 0.12 * np.exp(-d / 3))


def faded(values: Field, canvas: Canvas, margin: float = 2.0) -> Field:
    """The same light, brought to exactly 1 at the canvas' border over `margin` mm, so that no edge shows."""
    inward = np.minimum(
        canvas.size[0] / 2 - np.abs(canvas.x - canvas.center[0]),
        canvas.size[1] / 2 - np.abs(canvas.y - canvas.center[1]),
    )
    k = np.clip((inward - canvas.pixel) / margin, 0, 1)
    return np.asarray(1 - (1 - values) * k * k * (3 - 2 * k))
