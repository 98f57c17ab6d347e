"""Final gather: the outgoing radiance of a face near occluders, gathered by rays at some of the face's
points.

Prefiltered environment maps contain no occluders. But a laptop's deck reflects both the environment beside
the lid and the lid itself, which mirrors lamps. Rays drawn from the deck's lobe meet one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...arrays import F32, F64, U8
from ...devices.device import Slab
from ..geometry.face import Plane
from ..geometry.raster import Box
from ..kernels.pictures import project
from ..light import lobes, near_field
from ..light.frame import Frame
from ..light.neighbours import foot
from ..light.occluder import Occluder
from ..light.shading import Light, Points
from ..material import Material
from ..scattered import bilinear
from .culling import covers, hides
from .plane import fitted

FEW = 2  # points across a narrow face; by cost
NARROW = 20.0  # mm; across a narrower face, light hardly changes; by cost
RAYS = 96  # rays of a point's lobe; by cost
# Distances, mm, from the end of an occluder that covers a part of a face, at which points are added; by cost.
NEARBY = (-64, -32, -16, -6, 6, 16, 32, 64)
APART = 5.0  # mm; the least distance between points; by cost
# Share of a face's side around its middle. An occluder that ends there ends well inside the face; by eye.
WITHIN = 0.375
CLOSE = (-8, -4, -1, 1, 4, 8)  # distances from such ends, mm, at which points are added; by cost
SAME = 0.5  # mm; the least distance between such points; by cost
# Points where a neighbour stands on a face: the distance between them, mm; the margin around the foot in
# which they are added, mm; and their largest number; by cost.
DENSE, AROUND, MOST_DENSE = 2.0, 8.0, 56
SPACING = 1.5  # mm between the pixels to which the points are interpolated; by cost
# Polished metal mirrors outlines sharply. Where the radiance of neighbouring points differs by more than the
# share CONTRAST of the largest radiance, the distance between them is divided into FINE steps, and pixels are
# SHARP mm apart; by eye, by cost, and by cost.
CONTRAST, FINE, SHARP = 0.15, 4, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class FinalGather:
    """The light of a whole face of `size` mm, as a `picture` (h, w, 4) float32 seen straight on.

    Its channels are the radiance and the share of matt light lost. `hue` (3,) is the lost light of each
    colour channel relative to the mean of all three.
    """

    picture: F32
    size: tuple[float, float]
    hue: F32

    def seen(self, at: Plane, frame: Frame, box: Box, cover: U8) -> tuple[F32, F32]:
        """Radiance (h, w, 3) and share (h, w) in a box of the canvas; `at` is the face.

        Both are 0 in pixels whose `cover` (h, w) is 0.
        """
        size, key = (box.height, box.width), (fitted, self, frame.fine)
        shown = frame.memo.get(
            key, lambda: fitted((self.picture,), at.homography(frame.camera), (0, 0), self.size)
        )
        light, share = np.zeros((*size, 3), np.float32), np.zeros(size, np.float32)
        project(shown.picture, shown.into(box), (0, 0), np.ascontiguousarray(cover), light, share, False)
        return light, share

    def at(self, across: F32, up: F32) -> F32:
        """Radiance and share lost (n, 4) at places of the face, mm right of and above its middle."""
        (high, wide), (width, height) = self.picture.shape[:2], self.size
        x, y = (across / width + 0.5) * wide - 0.5, (0.5 - up / height) * high - 0.5
        return bilinear(self.picture, x.astype(np.float32), y.astype(np.float32))


def final_gather(
    frame: Frame,
    slab: Slab,
    front: bool,
    at: Plane,
    over: Sequence[Occluder],
    eye: F32 | None = None,
    beside: Sequence[Occluder] = (),
) -> FinalGather:
    """The light that a slab's face, with occluders `over` it, sends to the camera or to an `eye` (3,), view
    mm.

    There are more sample points where `beside`, the occluders of other devices, stand on the face.
    """
    camera = frame.camera
    width, height, _ = slab.size
    axes = camera.view(at.axes).astype(np.float32)
    middle = camera.view(at.origin[None])[0].astype(np.float32)
    around = [*beside, *(one for one in over if one not in beside)]
    spans = [[one.span(middle, axis) for one in around] for axis in axes[:2]]
    count = frame.quality.gather_points
    columns, rows = (_places(side, span, count) for side, span in zip((width, height), spans, strict=True))
    for one in beside:
        if (corners := foot(one, middle, axes)) is not None:
            columns, rows = (
                _denser(places, side, along)
                for places, side, along in zip((columns, rows), (width, height), corners.T, strict=True)
            )
    needed = None if eye is not None else _needed(frame, slab, at, columns, rows)
    paint = frame.face(slab, front)
    grid, hue = sent(frame, paint, at, over, (columns, rows), eye, needed)
    # Cubic interpolation overshoots where the distance between points changes abruptly.
    uneven, spacing = any(map(_inside, (width, height), spans)), SPACING
    if frame.quality.reflections and paint[0].metal and paint[0].roughness <= lobes.NARROW:
        uneven, spacing = True, SHARP
        columns, rows = (np.interp(_steps(side), np.arange(len(side)), side) for side in (columns, rows))
        changing = _changing(grid, needed)
        grid = spread(grid, _steps(grid[0]), _steps(grid), cv2.INTER_LINEAR)
        fine = sent(frame, paint, at, over, (columns, rows), eye, changing)[0]
        grid.reshape(-1, 4)[changing] = fine.reshape(-1, 4)[changing]
    # Rows run from top to bottom.
    spacing = max(spacing, frame.quality.gather_texel / camera.k)
    places = between(columns, width, spacing), between(-rows[::-1], height, spacing)
    picture = spread(grid, *places, cv2.INTER_LINEAR if uneven else cv2.INTER_CUBIC)
    return FinalGather(picture, (width, height), hue)


def sent(
    frame: Frame,
    paint: tuple[Material, F32],
    at: Plane,
    over: Sequence[Occluder],
    places: tuple[F64, F64],
    eye: F32 | None = None,
    needed: NDArray[np.intp] | None = None,
) -> tuple[F32, F32]:
    """The radiance and the lost share of matt light of places on a face, (rows, columns, 4), and the hue (3,)
    of the lost light.

    The `places` are columns and rows, mm right of and above the face's middle; results start with the
    uppermost row. `paint` is the face's material and linear colour (3,). The camera or an `eye` (3,), view
    mm, sees it. If the places `needed` (n,) are given, results are 0 at all others.
    """
    (columns, rows), camera, light = places, frame.camera, frame.light
    flat = _placed(at, columns, rows)
    points = camera.view(flat if needed is None else flat[needed]).astype(np.float32)
    away = (frame.eye if eye is None else eye) - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    axes = camera.view(at.axes).astype(np.float32)
    along, _, normals = (np.tile(axis, (len(points), 1)) for axis in axes)
    radiance, left = gathered(paint, Points(normals, along, toward, points), light, over, axes[2:])
    lost = 1 - left
    share = lost.mean(axis=1, keepdims=True)
    hue = lost.sum(axis=0) / np.maximum(share.sum(), np.float32(1e-6))
    whole = np.concatenate([radiance, share], axis=1)
    if needed is not None:
        some, whole = whole, np.zeros((len(flat), 4), np.float32)
        whole[needed] = some
    return whole.reshape(len(rows), len(columns), 4), hue


def gathered(
    paint: tuple[Material, F32], points: Points, light: Light, over: Sequence[Occluder], normals: F32
) -> tuple[F32, F32]:
    """The radiance (n, 3) that points of a face among occluders send, and the shares (n, 3) of matt light
    that are left.

    The points' unit `normals` are (1, 3) on a flat face and (n, 3) on a bent one.
    """
    assert points.places is not None
    sharp = [replace(one, sharp=True) for one in over]
    # On a matt face, rays have to look up light separately only if the occluder's light varies.
    matt = [one if one.field is None else fine for one, fine in zip(over, sharp, strict=True)]
    left, thrown = near_field.gathered(points.places, normals, light, matt)
    white = light.diffuse(normals) * left + thrown
    return near_field.shade(paint, points, light, sharp, RAYS, white), left


def _placed(at: Plane, columns: F64, rows: F64) -> F64:
    """The points (n, 3) of a face's grid, device mm, row by row from the uppermost."""
    x, y = np.meshgrid(columns, rows[::-1])
    return np.asarray(at.origin + x.reshape(-1, 1) * at.x + y.reshape(-1, 1) * at.y, np.float64)


def _needed(frame: Frame, slab: Slab, at: Plane, columns: F64, rows: F64) -> NDArray[np.intp] | None:
    """The indices (n,) of those places of a grid on a slab's face that are visible or close to a visible
    place; None if all are."""
    hidden = hides(frame, _placed(at, columns, rows), covers(frame)[slab.name])
    if hidden is None:
        return None
    seen = (~hidden).all(axis=0).reshape(len(rows), len(columns))
    return np.flatnonzero(cv2.dilate(seen.astype(np.uint8), np.ones((7, 7), np.uint8)))


def _steps(of: F64 | F32) -> F32:
    """The fractional indices of FINE steps between each two successive entries."""
    return np.arange((len(of) - 1) * FINE + 1, dtype=np.float32) / np.float32(FINE)


def _changing(grid: F32, needed: NDArray[np.intp] | None) -> NDArray[np.intp]:
    """The indices (n,) of those places of a grid, divided into FINE steps, at which its radiance changes
    abruptly.

    Of a `grid` (rows, columns, 4), only the places `needed` (n,) are known; all if None.
    """
    light = grid[..., :3].max(axis=-1)
    known = np.ones(light.shape, bool)
    if needed is not None:
        known = np.zeros(light.size, bool)
        known[needed] = True
        known = known.reshape(light.shape)
    low, high, whole = (
        of(sliding_window_view(each, (2, 2)), axis=(2, 3))
        for of, each in ((np.min, light), (np.max, light), (np.all, known))
    )
    cells = whole & (high - low > CONTRAST * light.max())
    rows, columns = cells.shape
    places = np.zeros((rows * FINE + 1, columns * FINE + 1), np.uint8)
    places[:-1, :-1] = np.kron(cells, np.ones((FINE, FINE), np.uint8))
    # The places at both ends of a cell belong to it.
    return np.flatnonzero(cv2.dilate(places, np.ones((2, 2), np.uint8)))


def _places(side: float, spans: Sequence[tuple[float, float]], most: int) -> F64:
    """Places (n,) along a face's side, mm from its middle: denser near its ends and the ends of occluders.

    `spans` are the occluders' extents. Near the end of an occluder that covers less than half of the side,
    light changes within a few mm, and within fewer if the end is well inside the face.
    """
    count = most if side > NARROW else FEW
    places = -np.cos(np.pi * np.arange(count) / (count - 1)) * side / 2
    ends = [end for low, high in spans if high - low < side / 2 for end in (low, high)]
    for place in (end + step for end in ends for step in NEARBY):
        if abs(place) < side / 2 and np.abs(places - place).min() > APART:
            places = np.sort(np.append(places, place))
    for place in (end + step for end in _inside(side, spans) for step in CLOSE):
        if abs(place) < side / 2 and np.abs(places - place).min() > SAME:
            places = np.append(places, place)
    return np.sort(places)


def _denser(places: F64, side: float, along: F32) -> F64:
    """Places along a side, with additional ones where a foot stands whose corners are at `along` (n,)."""
    low, high = np.clip((along.min() - AROUND, along.max() + AROUND), -side / 2, side / 2)
    count = int(min((high - low) / DENSE, MOST_DENSE)) + 1
    added = [one for one in np.linspace(low, high, count) if np.abs(places - one).min() > SAME]
    return np.sort(np.append(places, added))


def _inside(side: float, spans: Sequence[tuple[float, float]]) -> list[float]:
    """The ends of `spans` that lie well inside a face; none if the face is narrow."""
    return [end for span in spans for end in span if abs(end) < WITHIN * side and side > NARROW]


def spread(grid: F32, x: F32, y: F32, mode: int) -> F32:
    """Interpolate a `grid` of gathered light at fractional columns x and rows y."""
    picture = cv2.remap(grid, *np.meshgrid(x, y), mode, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(picture, np.float32)


def between(places: F64, side: float, spacing: float = SPACING) -> F32:
    """The fractional indices, into the ascending `places` along a side, of pixels evenly spaced `spacing` mm
    apart."""
    many = math.ceil(side / spacing)
    middle = ((np.arange(many) + 0.5) / many * 2 - 1) * side / 2
    return np.interp(middle, places, np.arange(len(places))).astype(np.float32)
