"""Softer inner edges: where dark and bright parts of a device meet, a wider pixel filter hides the steps.

Coverage weighs the light of a pixel's parts exactly, as a box filter does. A pixel that a black lens and
white glass share equally looks nearly white, though, so the lens has visible steps.
"""

from __future__ import annotations

from ...arrays import F32
from ..kernels import softening as kernel
from .canvas import Canvas

LOW, HIGH = 0.12, 0.32  # steps of the root of light from which edges are filtered, and filtered fully; by eye


def softened(canvas: Canvas) -> None:
    """Soften hard edges of a canvas inside its device, in place, but not those of its screens."""
    cover = canvas.alpha
    for gain in canvas.gains:
        cover = cover - gain
    soften(canvas.rgb, cover)


def soften(rgb: F32, cover: F32) -> None:
    """Soften hard edges in premultiplied linear light (h, w, 3) where its `cover` (h, w) is 1, in place."""
    kernel.soften(rgb, cover, LOW, HIGH)
