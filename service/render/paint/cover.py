"""From a slab's premultiplied samples to straight colours for every pixel that its outline covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from service.arrays import F32
from service.render.geometry.coverage import weighted
from service.render.geometry.raster import Samples
from service.render.paint.rim import borrow


def behind(
    near: Samples, gains: dict[int, F32], far: Samples, others: Mapping[int, F32], *, exact: bool
) -> None:
    """Add the farther half of a folded slab, and its gains, behind the nearer one, in place.

    Both meet at the fold, where their shares of a pixel add up to one: no seam shows. Gains that are not
    `exact` reach a little beyond their face, and are cut to it at full size.
    """
    room = np.minimum(np.float32(1) - near.hit, far.hit) / np.maximum(far.hit, np.float32(1e-6))
    rgb, hit = near
    rgb += weighted(far.rgb, room)
    hit += far.hit * room
    if not exact:
        room = cv2.dilate((room > 0).astype(np.float32), np.ones((3, 3), np.uint8))
    gains.update((place, gain * room) for place, gain in others.items())


def spread(walls: Samples, gains: Iterable[F32], alpha: F32) -> None:
    """Give each covered pixel its full colour, in place.

    Colours are divided by the share that samples hit; where none did, the neighbours' colour is used.
    """
    hits, light = walls.hit.ravel(), walls.rgb.reshape(-1, 3)
    edge = np.flatnonzero((alpha.ravel() > 0) & (hits < 0.9999))
    some = edge[hits[edge] > 0]
    light[some] /= hits[some][:, None]
    for gain in gains:
        gain.ravel()[some] /= hits[some]
    hits[some] = 1
    borrow(walls.rgb, walls.hit, edge[hits[edge] <= 0])
