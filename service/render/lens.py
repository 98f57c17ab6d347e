"""What happens to the finished picture, in order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.clock import Clock
from service.render import bloom, grain, vignette
from service.scene import Lens

U8 = NDArray[np.uint8]


def finish(pixels: U8, lens: Lens, clock: Clock) -> U8:
    """Bloom, then vignette, then grain: light spreads in the glass, darkens at its rim, meets the film."""
    if lens.bloom:
        with clock.stage("bloom"):
            pixels = bloom.apply(pixels, lens.bloom)
    if lens.vignette:
        with clock.stage("vignette"):
            pixels = vignette.apply(pixels, lens.vignette)
    if lens.grain:
        with clock.stage("grain"):
            pixels = grain.apply(pixels, lens.grain)
    return pixels
