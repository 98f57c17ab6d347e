"""The light that devices block on a ground: a tight shadow at the contact, wide and faint below parts that
are far above it.

If only the environment lit a ground, shadows would be dark pools with an outline for each of the
environment's lamps. A photographer lights a ground with one large softbox, and white walls fill the shadows.
So light comes from a smooth lamp around the environment's main light, and on a floor, higher parts of the
device block less of it.

The device is cut at a few heights. Each cut casts the mean of hard shadows. Higher cuts use more directions
and a coarser grid. The shadow is the weighted sum of all cuts. A part that a stand holds in the air is not
cut, because a strip of a panel would cast a straight band. Instead, it is lit by a wider lamp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.raster import Box
from ..light.environment import Environment, lookup
from ..memoize import MIB, memoize
from .grid import Grid
from .plane import GroundPlane, Piece, Solid, pieces
from .shadow import REACH

GOLDEN = math.pi * (3 - math.sqrt(5))  # radians between successive points of a sunflower pattern on a disc
CANDIDATES = 1024  # directions that are averaged for the main light; by cost
LEVEL = 0.12  # roughness level of the environment from which each candidate's light is read; by cost
LOWEST = 0.4  # sine of the elevation to which lower light is raised
STEEPEST = 0.85  # largest slope of the lamp's middle; by eye
OUTERMOST = 0.96  # share of a Gaussian that a lamp keeps, without the outermost part; by eye
SOFT = 0.8  # texels of blur that hide the texels themselves; by eye
# Azimuths, radians, and slopes of the directions in which a shape's outermost points are kept; by cost.
AZIMUTHS, TILTS = np.arange(32) * (math.tau / 32), (-1.5, -0.6, -0.2, 0.0, 0.2, 0.6, 1.5)
OUTWARD: F64 = np.column_stack(
    [
        np.repeat(np.column_stack([np.cos(AZIMUTHS), np.sin(AZIMUTHS)]), len(TILTS), axis=0),
        np.tile(TILTS, len(AZIMUTHS)),
    ]
)
# Directions in which `outermost` looks for corners, by cost; and the tolerance of its sides, a guard.
AROUND = np.column_stack([np.cos(AZIMUTHS[::2]), np.sin(AZIMUTHS[::2])]).astype(np.float32)
ROUNDING = np.float32(1e-5)
LYING = 0.02  # share of the whole height up to which a panel counts as lying on the floor; by eye
UNDER = 0.6  # share of a penumbra that hides the light strip below a thin hanging panel; by eye
UNIT, MM = 9, 6  # number of decimals of unit vectors and of mm by which cuts are distinguished; a guard
CUBIC = 4  # texels around a blurred shadow that OpenCV's cubic resize needs; by construction
SHARPEST = 0.02  # softness of the sharpest shadow, at which directions still differ; by eye


class Cut(NamedTuple):
    """A part of the ground's light. Its numbers are chosen by eye, except for the directions and px, which
    are chosen by cost.

    Only the device up to `height`, a share of its whole height, blocks this part. `weight` is its share of
    the shadow, `width` the width of its lamp as a multiple of the width of the ground's lamp, and
    `directions` the number of directions. A texel of its shadow is `coarse` px. Its lamp is `aside` times as
    far to the side as the ground's lamp.
    """

    height: float
    weight: float
    width: float
    directions: int
    coarse: int
    aside: float = 1.0

    def thinned(self) -> Cut:
        """The cut, with a third of the directions."""
        return self._replace(directions=self.directions // 3)


class Lighting(NamedTuple):
    """How a photographer lights a ground; by eye.

    `lean` is the multiple, across and along the ground, of the slope of the environment's main light that the
    lamp takes on. Along the ground, the slope `front` moves the lamp to the side that a device faces, and the
    slope `above` moves it farther. `width` is the standard deviation of its slopes. Parts that a stand holds
    in the air block the light `high` instead of `cuts`. They are not cut, so the `height` of `high` is 1.
    """

    lean: tuple[float, float]
    front: float
    above: float
    width: float
    cuts: tuple[Cut, ...]
    high: Cut | None = None

    def thinned(self) -> Lighting:
        """The lighting of previews, with a third of the directions.

        The light on the ground differs by about one percent at most.
        """
        return self._replace(
            cuts=tuple(cut.thinned() for cut in self.cuts),
            high=self.high.thinned() if self.high else None,
        )


# The key light of a floor stands far to one side, so that the shadow has a direction, and a little in front.
FLOOR = Lighting(
    lean=(5.0, 0.5),
    front=0.38,
    above=0.0,
    width=0.15,
    cuts=(
        Cut(0.006, 0.24, 0.8, 48, 1),
        # The light that fills shadows comes from all sides, so at the contact, feet block it in front, too.
        Cut(0.02, 0.24, 4.0, 64, 2),
        Cut(0.09, 0.14, 1.0, 64, 2),
        Cut(0.3, 0.15, 1.2, 96, 3),
        Cut(1.0, 0.17, 1.4, 144, 4),
    ),
    # A panel is wider than its stand. Lit from farther to the side, its shadow falls to one side of the
    # stand.
    high=Cut(1.0, 0.28, 2.2, 256, 8, 1.4),
)
# The softbox and the room light a wall. The room's light comes from all sides, and only a device near the
# wall blocks it.
WALL = Lighting(
    lean=(1.3, 0.2),
    front=0.3,
    above=0.35,
    width=0.32,
    cuts=(Cut(1.0, 0.38, 1.0, 224, 3), Cut(1.0, 0.26, 2.5, 224, 3)),
)
LIGHTINGS = {"floor": FLOOR, "wall": WALL}


class Lamp(NamedTuple):
    """A soft lamp over a ground: its `middle` (2,) and `width`, mm along the ground for each mm of height."""

    middle: F64
    width: float

    def ways(self, count: int, wider: float = 1.0, aside: float = 1.0) -> F64:
        """Slopes (count, 2), each of the same light: they fill a Gaussian, without its outermost part,
        evenly.

        The Gaussian is `wider` times as wide as the lamp, and its middle is `aside` times as far to the side.
        """
        place = np.arange(count)
        turn = place * GOLDEN
        away = self.width * wider * np.sqrt(-2 * np.log(1 - OUTERMOST * (place + 0.5) / count))
        return np.asarray(
            self.middle * (aside, 1.0) + away[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]),
            np.float64,
        )


def lamp(environment: Environment, at: GroundPlane, lighting: Lighting, softness: float) -> Lamp:
    """The lamp over a ground; it is `softness` times as wide as a photographer's lamp."""
    place = np.arange(CANDIDATES)
    turn = place * GOLDEN
    # Directions are cosine-weighted: a sunflower pattern on a disc, projected up to the hemisphere.
    radius = np.sqrt((place + 0.5) / CANDIDATES)
    up = np.sqrt(1 - radius**2)
    ways = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), up])
    light = lookup(environment.rough[LEVEL], (ways @ at.axes).astype(np.float32)).mean(axis=1)
    slopes = ways[:, :2] / np.maximum(up, LOWEST)[:, None]
    middle = np.array(lighting.lean) * (light @ slopes) / light.sum()
    middle[1] += lighting.front * (at.axes[1] @ at.front) + lighting.above
    steep = float(np.linalg.norm(middle))
    return Lamp(middle * min(1.0, STEEPEST / max(steep, 1e-9)), lighting.width * max(softness, SHARPEST))


def blocked(shapes: Sequence[Solid], at: GroundPlane, lighting: Lighting, lit: Lamp, grid: Grid) -> F32:
    """The share (h, w), 0-1, of a lamp's light that posed `shapes` (see `solids`) block on a plane."""
    local = [Local.of(shape, at) for shape in shapes]
    top = max(float(one.points[:, 2].max()) for one in local)
    standing: list[Local] = []
    hanging: list[Local] = []
    for shape, one in zip(shapes, local, strict=True):
        # In a scene, a monitor may lie on the floor of another device.
        off = one.points[:, 2].min() > LYING * top
        (hanging if shape.hangs and off and lighting.high else standing).append(one)
    total = np.zeros((grid.size[1], grid.size[0]), np.float32)
    for cut in lighting.cuts:
        _block(total, standing, cut, top, lit, grid)
    if lighting.high and hanging:
        above = min(float(one.points[:, 2].min()) for one in hanging)
        blur = UNDER * above * lit.width * lighting.high.width
        _block(total, hanging, lighting.high, top, lit, grid, blur)
    return total


def _block(
    total: F32, shapes: Sequence[Local], cut: Cut, top: float, lit: Lamp, grid: Grid, blur: float = 0.0
) -> None:
    """Add to `total` (h, w), in place, the share, 0-1, of a lamp's light that shapes block in one cut.

    The whole device is `top` mm high. A Gaussian of at least `blur` mm blurs the shadow.
    """
    lower = [piece for one in shapes if (piece := one.below(cut.height * top)) is not None]
    if not lower:
        return
    coarse = grid.coarser(cut.coarse)
    across, along = np.maximum(blur * coarse.scale, SOFT).tolist()
    margin = math.ceil(REACH * max(across, along)) + CUBIC
    part, box = coarse.shadow(lower, lit.ways(cut.directions, cut.width, cut.aside), margin)
    if not box.area:
        return
    part = np.asarray(cv2.GaussianBlur(part, (0, 0), across, sigmaY=along), np.float32)
    if cut.coarse > 1:
        box = Box(*(cut.coarse * side for side in box))
        larger = cv2.resize(part, (box.width, box.height), interpolation=cv2.INTER_CUBIC)
        box = box.clipped(Box(0, 0, *grid.size))
        part = np.asarray(larger[: box.height, : box.width], np.float32)
    total[box.slices] += np.float32(cut.weight) * part


class Local(NamedTuple):
    """A convex shape in a plane's axes: the `points` (n, 3) that bound its shadows, and its `piece`, posed in
    these axes.

    The pieces of a device that stands by itself are always cut along the same planes, so the cuts are cached.
    """

    points: F64
    piece: Piece | None

    @classmethod
    def of(cls, shape: Solid, at: GroundPlane) -> Local:
        """A shape in the axes of a plane."""
        if shape.piece is None:
            return cls(fewer((shape.points - at.origin) @ at.axes.T), None)
        slab, number, turn, shift = shape.piece
        piece = Piece(slab, number, at.axes @ turn, at.axes @ (shift - at.origin))
        every = _part(piece, math.inf)
        assert every is not None
        return cls(every, piece)

    def below(self, height: float) -> F64 | None:
        """The part of the shape up to a height, as points (m, 3); None if all of it is higher."""
        return below(self.points, height) if self.piece is None else _part(self.piece, height)


def _part(piece: Piece, height: float) -> F64 | None:
    """The part of a piece up to a height, both in a plane's axes, as points (m, 3)."""
    slab, number, turn, shift = piece
    up = tuple(round(part, UNIT) for part in turn[2].tolist())
    cut = lower(slab, number, up, round(height - float(shift[2]), MM))
    return None if cut is None else np.asarray(cut @ turn.T + shift, np.float64)


@memoize(MIB)
def lower(slab: Slab, number: int, up: tuple[float, ...], height: float) -> F64 | None:
    """The part of a piece of a slab up to a height along `up` (3,), device mm, as points (m, 3).

    None if all of it is higher.
    """
    side = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(up, side), up])
    part = below(fewer(pieces(slab)[number] @ axes.T), height)
    return None if part is None else np.asarray(part @ axes, np.float64)


def fewer(points: F64) -> F64:
    """The points (m, 3) of a convex shape (n, 3) that bound its shadows, mm across, along and up."""
    # NumPy finds maxima along the last axis four times as fast.
    return np.asarray(points[np.unique((OUTWARD @ points.T).argmax(axis=1))], np.float64)


def outermost(points: F32) -> F32:
    """The points (m, 2) among (n, 2) that may be corners of their convex hull.

    Points inside the polygon of the points that are outermost in a few directions are dropped (Akl and
    Toussaint, "A fast convex hull algorithm", 1978).
    """
    corners = np.asarray(points[(AROUND @ points.T).argmax(axis=1)], np.float32)
    sides = np.roll(corners, -1, axis=0) - corners
    some = sides.any(axis=1)
    if not some.any():
        return corners[:1]
    out = np.column_stack([sides[some, 1], -sides[some, 0]])
    ends = np.einsum("ij,ij->i", out, corners[some])
    ends -= ROUNDING * np.abs(ends).max()
    return np.asarray(points[(out @ points.T >= ends[:, None]).any(axis=0)], np.float32)


def below(points: F64, height: float) -> F64 | None:
    """The part of a convex shape (n, 3) up to a height, as points (m, 3); None if all of it is higher."""
    under = points[:, 2] <= height
    if under.all():
        return points
    if not under.any():
        return None
    first, last = points[under], points[~under]
    share = (height - first[:, None, 2]) / (last[None, :, 2] - first[:, None, 2])
    met = first[:, None, :2] + share[..., None] * (last[None, :, :2] - first[:, None, :2])
    ring = cv2.convexHull(outermost(met.reshape(-1, 2).astype(np.float32)))[:, 0].astype(np.float64)
    return np.concatenate([first, np.column_stack([ring, np.full(len(ring), height)])])
