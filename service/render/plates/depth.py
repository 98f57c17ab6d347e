"""The distances of a plate's devices from the pivot along the camera's axis, for depth of field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...clock import Clock
from ..geometry.camera import Stage
from ..geometry.coverage import fill
from ..geometry.distance import distances
from ..geometry.raster import Box, around, bounds
from ..geometry.silhouette import outlines
from ..light.frame import Frame
from ..paint.order import parts

SEEN = 0.5  # least share of a pixel at which a device counts as visible in it; by construction


@dataclass(frozen=True, slots=True, eq=False)
class DepthMap:
    """The distance of each pixel's device along the camera's axis, mm beyond the pivot.

    `away` (h, w) float16 over `box` is infinite where no device is visible. `middle` is the distance of the
    middle of the first device's screen; 1 mm at the pivot is `k` px.
    """

    box: Box
    away: NDArray[np.float16]
    middle: float
    k: float

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.away.nbytes


def depth_map(frames: Sequence[Frame], stage: Stage, middle: F64, clock: Clock) -> DepthMap:
    """The distances of a stage's devices; where several overlap, the nearest.

    The `middle` (3,) of the first device's screen is in that device's mm.
    """
    camera = stage.camera
    shapes = [outlines(frame.device, frame.camera) for frame in frames]
    boxes = [bounds(np.concatenate(shape), camera.width, camera.height) for shape in shapes]
    box = around(boxes)
    away = np.full((box.height, box.width), np.inf, np.float32)
    for frame, shape, own in zip(frames, shapes, boxes, strict=True):
        clock.check()
        if own.area:
            seen = fill(shape, own) >= SEEN
            found: F32 = distances((part[:3] for part in parts(frame)), frame.camera, own, camera.distance)
            at = own.within(box)
            away[at] = np.where(seen, np.minimum(found, away[at]), away[at])
    first = frames[0].camera
    focus = first.distance - float(first.view(middle[None])[0, 2]) - camera.distance
    return DepthMap(box, away.astype(np.float16), focus, camera.k)
