"""The halves of a folded slab, one behind the other."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from ...arrays import F32
from ..geometry.coverage import weighted
from ..geometry.raster import Samples


def behind(
    near: Samples, gains: dict[int, F32], far: Samples, others: Mapping[int, F32], *, exact: bool
) -> None:
    """Add the farther half of a folded slab, and its gains, behind the nearer one, in place.

    The halves meet at the fold, where their shares of a pixel add up to one, so that no seam shows. Gains
    that are not `exact` reach a little beyond their face, and are clipped to it later, at full size.
    """
    room = np.minimum(np.float32(1) - near.hit, far.hit) / np.maximum(far.hit, np.float32(1e-6))
    rgb, hit = near
    rgb += weighted(far.rgb, room)
    hit += far.hit * room
    if not exact:
        room = cv2.dilate((room > 0).astype(np.float32), np.ones((3, 3), np.uint8))
    gains.update((place, gain * room) for place, gain in others.items())
