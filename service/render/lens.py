"""What happens to the finished picture, in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from service.render import bloom, grain, vignette
from service.scene import Lens

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

#: Rows of the picture and the first row's number, to the changed rows.
Step = Callable[[U8, int], U8]


def steps(lens: Lens, size: tuple[int, int], glow: F32 | None) -> list[Step]:
    """Bloom, then vignette, then grain: light spreads in the glass, darkens at its rim, meets the film.

    `glow` is the whole picture's, see `bloom.glow`; None when the lens has no bloom.
    """
    chain: list[Step] = []
    if glow is not None:
        chain.append(partial(bloom.apply, light=glow, size=size))
    if lens.vignette:
        chain.append(partial(vignette.apply, vignette=lens.vignette, size=size))
    if lens.grain:
        chain.append(partial(grain.apply, grain=lens.grain))
    return chain
