"""The change of a face's light close to parts that stand on it, such as the hinge and lid on a deck.

The light varies within fractions of a mm, so it is gathered at denser points, but only in a strip. Without
the strip, the SSIM of a Surface Laptop with its references would fall from 0.9942 to 0.9927.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.camera import Camera
from ..geometry.coverage import levels
from ..geometry.face import Plane, plane
from ..geometry.raster import Box, bounds
from ..kernels.pictures import project
from ..light.frame import Frame
from ..light.occluder import Occluder
from .final_gather import FinalGather, between, sent, spread
from .plane import fitted

REACH = 16.0  # mm from the contact line up to which light changes; by cost
ACROSS = (-1.2, 0.0, 0.4, 0.9, 1.8, 3.5, 7.0)  # distances of points from the contact line, mm; by cost
# distances of points along the line from the ends of a slab, mm; by cost
ALONG = (-8.0, -3.0, -0.5, 0.0, 0.5, 5.0)
CLEAR = 0.4  # mm; the least distance between points; by cost
WIDE, HIGH = 0.6, 0.2  # mm between the pixels to which the points are interpolated; by cost
MARGIN = 4.0  # mm by which the strip is painted beyond the face, to whose mask it is clipped; by eye


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """The change of light in a strip of a face.

    The strip is `wide` mm and reaches from `inner` mm over the face's middle, where the change is 0, to the
    `outer` edge. `picture` (h, w, 4) float32 is added to the radiance and to the lost share of matt light.
    """

    picture: F32
    wide: float
    inner: float
    outer: float

    def show(self, light: F32, lost: F32, at: Plane, frame: Frame, box: Box) -> None:
        """Change light (h, w, 3) and share (h, w) in a box of the canvas, in place; `at` is the face."""
        camera = frame.camera
        homography, way = at.homography(camera), math.copysign(MARGIN, self.outer - self.inner)
        side, ends = self.wide / 2 + MARGIN, (self.inner, self.outer + way)
        corners = [(-side, ends[0], 1), (side, ends[0], 1), (side, ends[1], 1), (-side, ends[1], 1)]
        places = np.array(corners) @ homography.T
        outline = (places[:, :2] / places[:, 2:]).astype(np.float32)
        part = bounds(outline, camera.width, camera.height).clipped(box)
        if not part.area:
            return
        size = self.wide, abs(self.outer - self.inner)
        middle = 0, (self.inner + self.outer) / 2
        key = fitted, self, frame.fine
        shown = frame.memo.get(key, lambda: fitted((self.picture,), homography, middle, size))
        start = part.x - box.x, part.y - box.y
        project(shown.picture, shown.into(box), start, levels([outline], part), light, lost, True)


def foot(
    frame: Frame, slab: Slab, front: bool, over: Sequence[Occluder], whole: FinalGather | None
) -> Foot | None:
    """The change that occluders close `over` a face make to its light; None if there are no such occluders.

    The change is relative to the face's final gather, `whole`, or, if that is None, to the light of the
    environment alone.
    """
    at = plane(slab, front)
    edges = _edges(at, over, frame.camera)
    if not edges:
        return None
    width, height, _ = slab.size
    first = min((place for place, _ in edges), key=abs)
    inner, outer = first - math.copysign(REACH, first), math.copysign(height / 2, first)
    wide = [one.half[0] for one in over if one.half[0] > REACH]
    ends = [side * (half + step) for half in wide for step in ALONG for side in (-1, 1)]
    count = frame.quality.gather_points
    evenly = -np.cos(np.pi * np.arange(count) / (count - 1)) * width / 2
    columns = _thinned([*evenly, *(end for end in ends if abs(end) < width / 2)])
    places = [place + way * step for place, way in edges for step in ACROSS]
    rows = _thinned([outer, *(place for place in places if abs(place) < height / 2)])
    paint = frame.face(slab, front)
    grid = sent(frame, paint, at, over, (columns, rows))[0]
    if whole is None:
        grid -= sent(frame, paint, at, (), (columns, rows))[0]
    else:
        x, y = np.meshgrid(columns.astype(np.float32), rows[::-1].astype(np.float32))
        grid -= whole.at(x.ravel(), y.ravel()).reshape(grid.shape)
    # At the foot's inner end, the change is 0.
    grid = np.insert(grid, len(rows) if outer > 0 else 0, 0, axis=0)
    rows = np.sort(np.append(rows, inner))
    across = between(columns, width, WIDE)
    up = between((inner + outer) / 2 - rows[::-1], abs(outer - inner), HIGH)
    return Foot(spread(grid, across, up, cv2.INTER_LINEAR), width, inner, outer)


def _edges(at: Plane, over: Sequence[Occluder], camera: Camera) -> list[tuple[float, float]]:
    """The contact lines of occluders: how far each lies above the face's middle, mm, and its direction."""
    up, middle = camera.view(at.y[None])[0], camera.view(at.origin[None])[0]
    return [
        (float((one.foot - middle) @ up), float(np.sign(one.axes[2] @ up)))
        for one in over
        if one.foot is not None
    ]


def _thinned(places: Sequence[float]) -> F64:
    """The places in ascending order, without those less than CLEAR mm from the previous one."""
    thinned: list[float] = []
    for place in sorted(places):
        if not thinned or place - thinned[-1] >= CLEAR:
            thinned.append(float(place))
    return np.array(thinned)
