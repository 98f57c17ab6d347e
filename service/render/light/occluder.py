"""Occluders: rectangles that hide a part of the light on a nearby surface, and light it themselves.

A laptop's lid is an occluder of its deck, a monitor's stand of its foot.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ...devices.device import Corner, Side, Slab
from ..geometry.bend import pieces, straightened
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane, wall
from ..geometry.mesh import corners, pose
from ..kernels.occluders import Rays, Rectangle, lose
from ..material import Material
from .field import FACES, Field, Name
from .frame import Frame
from .shading import Ground, Light

GAP = 5.0  # mm; a slab that ends within this distance of a face is close to it; fitted to the references
DEPTH = 0.65  # share of light lost at the bottom of a gap; the rest bounces in; fitted to the references
TOUCHING = 0.95  # share of light lost where a rounded edge touches a face; fitted to the references
SUNK = 0.1  # mm; an edge that goes at least this deep into a face counts as sunk; fitted to the references
RISE = 1.0  # mm out of a gap over which the loss falls by a factor of e; fitted to the references
NEAR = 0.3  # mm; a point behind an occluder of a closed gap is treated as this far in front of it; a guard
LEAST = 0.02  # mm; a point behind any other occluder is treated as this far in front of it; a guard
STEPS = 4097  # places along a corner at which the height of its edge is tabulated; by construction
NONE = np.zeros((0, 0), np.float32)  # an absent array, for kernels; by construction
# Sine and cosine of a cone that contains every direction, slightly beyond their ranges; by construction.
ANYWHERE = 2.0, -2.0


@dataclass(frozen=True, slots=True, eq=False)
class Occluder:
    """A rectangle in view space that hides light and sends its own: the front, back or a wall of a slab.

    Shape: `middle` (3,), mm, unit `axes` (3, 3) as rows x, y and normal, and `half` its width and height, mm.
    Its lower edge rises at its rounded `corner`. Points more than `behind` mm behind it do not see it.

    Light: it sends the radiance of its `face`, or that of a surface light `field` if it is lit by other
    panels. `left` takes places across and up (n,), mm, and ray directions (n, 3), and returns the shares of
    light that nearer occluders leave at those places.

    Gaps: if the gap below it is `closed`, the share `depth` of light is lost at the bottom of the gap, and
    points behind the rectangle see it, too. Where the slab's edge has sunk into the face, the loss is only
    DEPTH on the side in the direction `sunk` (3,). Where the rectangle comes close to a face along a line,
    `foot` (3,) is a point of the line.
    """

    middle: F32
    axes: F32
    half: tuple[float, float]
    face: Ground
    corner: Corner | None = None
    behind: float = 0.0
    closed: bool = True
    foot: F32 | None = None
    field: Field | None = None
    least: float = LEAST
    depth: float = DEPTH
    sunk: F32 | None = None
    left: Callable[[F32, F32, F32], F32] | None = None
    shape: Rectangle = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Pack the rectangle for the kernels."""
        floor, behind = (NEAR, np.inf) if self.closed else (self.least, self.behind)
        of = [*self.middle, *self.axes.ravel(), *self.half, floor, behind]
        rise, start = NONE.ravel(), 0.0
        if self.corner is not None and self.corner.extent:
            rise, start = _rise(self.corner), self.half[0] - self.corner.extent
        object.__setattr__(self, "shape", Rectangle(np.array(of, np.float32), rise, start))

    def sent(self, points: F32, leaving: F32) -> F32:
        """The radiance (n, 3) that the occluder sends to points (n, 3), which see it in directions `leaving`
        (n, 3)."""
        if self.field is None:
            return self.face.radiance(leaving)
        across, up, _ = self.met(points, leaving[:, None])
        return self.field.sent(across[:, 0], up[:, 0], leaving)

    def hide(self, rays: Rays, at: NDArray[np.int32], left: F32, weights: F32, sums: F32) -> None:
        """Subtract the shares of cones that the occluder hides from `weights` (w, k, n), and add its light to
        `sums`.

        Points `at` (m,) see the occluder. Each point receives radiance in one direction: the mean over the
        part of its cones that this occluder hides, weighted by the shares that nearer occluders have `left`
        (k, n), or unweighted if `left` has no rows. `sums` are (w, 3, n).
        """
        shares, middle = self.shape.hidden(rays, at, left)
        if not shares.any():
            return
        if self.field is None:
            radiance = np.ascontiguousarray(self.face.radiance(middle))
        else:
            radiance = self.shape.sent(self.field.texels, rays, at, middle)
        dim = NONE
        if self.left is not None:
            dim, hit = np.zeros_like(shares), np.flatnonzero(shares)
            ray, point = np.divmod(hit, len(at))
            ways = np.asarray(rays.ways)[:, ray, at[point]].T
            across, up, _ = self.met(np.asarray(rays.points)[at[point]], ways[:, None])
            dim.ravel()[hit] = self.left(across[:, 0], up[:, 0], ways)
        lose(rays, at, shares, radiance, weights, sums, dim)

    def blurred(self, mip: int) -> Ground:
        """The occluder's face as wide cones see it: a smooth face mirrors the environment's mip level
        `mip`."""
        return replace(self.face, light=replace(self.face.light, mip=mip))

    def filled(self, points: F32, leaving: F32, cone: F32 | float) -> F32:
        """The shares (n, k) that the occluder fills of cones whose axes leave points (n, 3), view mm, along
        (n, k, 3).

        A cone's light falls off linearly up to `cone` (k,) radians from its axis.
        """
        radii = np.broadcast_to(np.asarray(cone, np.float32), leaving.shape[1]).copy()
        rays = Rays(points, np.ascontiguousarray(leaving.transpose(2, 1, 0)), radii)
        return np.asarray(self.shape.hidden(rays, np.arange(len(points), dtype=np.int32), NONE)[0].T)

    def span(self, origin: F32, axis: F32) -> tuple[float, float]:
        """The start and end, mm, of the occluder's extent along an axis (3,) through `origin` (3,)."""
        middle, reach = (self.middle - origin) @ axis, np.abs(self.axes[:2] @ axis) @ np.array(self.half)
        return float(middle - reach), float(middle + reach)

    def above(self, points: F32, normals: F32, found: NDArray[np.bool_]) -> None:
        """Mark in `found` (n,) which points (n, 3) of unit normals (n, 3) may see the occluder: it must face
        them and rise above their horizon."""
        self.shape.above(points, normals, NEAR, found.view(np.uint8))

    def before(self, rays: Rays, normals: F32, cone: tuple[float, float]) -> NDArray[np.int32]:
        """Which points (m,) of unit `normals` (n, 3) may see the occluder within a cone around their first
        ray.

        `cone` is the sine and cosine of the cone's radius.
        """
        return np.asarray(self.shape.before(rays, normals, NEAR, *cone))

    def met(self, points: F32, leaving: F32) -> tuple[F32, F32, F32]:
        """Where rays `leaving` (n, k, 3) points (n, 3) meet the occluder's plane: right, up, and distance (n,
        k), mm."""
        x, y, normal = self.axes
        apart = points - self.middle
        into = np.maximum(-(leaving @ normal), np.float32(1e-3))
        way = np.maximum(apart @ normal, np.float32(NEAR if self.closed else self.least))[:, None] / into
        return (apart @ x)[:, None] + way * (leaving @ x), (apart @ y)[:, None] + way * (leaving @ y), way

    def beside(self, radiance: F32, points: F32, normals: F32, mirrored: F32, kept: F32, alpha: float) -> F32:
        """Blend the occluder's light into the radiance (n, 3) of points (n, 3) that may mirror it; returns a
        new array.

        The points have unit `normals` (n, 3), mirror a lobe of `alpha` around `mirrored` (n, 3), and reflect
        the share `kept` (n, 1 or 3). In a closed gap, the occluder's light is dimmed the deeper a ray ends.
        """
        if not self.closed:
            share = self.filled(points, mirrored[:, None], alpha)
            at = np.flatnonzero(share)
            if not len(at):
                return radiance
            changed = radiance.copy()
            changed[at] += (self.sent(points[at], mirrored[at]) * kept[at] - changed[at]) * share[at]
            return changed
        high = (points - self.middle) @ self.axes[2]
        at = np.flatnonzero((high > -GAP) & (high < GAP))
        if not len(at):
            return radiance
        high, mirrored = np.maximum(high[at], 0), mirrored[at]
        share = self.filled(points[at], mirrored[:, None], 2 * alpha) * (1 - high / np.float32(GAP))[:, None]
        # The distance from the bottom of the gap to where the mirrored ray meets the occluder, without the
        # ray's component along the gap.
        falls = np.minimum(mirrored @ self.axes[2], np.float32(-0.1))
        along = np.cross(normals[at], self.axes[2])
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), np.float32(1e-3))
        out = 1 - falls * falls - np.einsum("ij,ij->i", mirrored, along) ** 2
        reach = high * np.sqrt(np.maximum(out, 0)) / -falls
        depth = np.full(len(at), self.depth, np.float32)
        if self.sunk is not None:
            depth[normals[at] @ self.sunk > 0] = DEPTH
        left = 1 - depth * np.exp(-reach / np.float32(RISE))
        sent = self.sent(points[at], mirrored) * kept[at] * left[:, None]
        changed = radiance.copy()
        changed[at] += (sent - changed[at]) * share
        return changed


@cache
def _rise(corner: Corner) -> F32:
    """The rise of an edge, mm, at STEPS even places from the start of a corner to its end."""
    part = np.linspace(0, 1, STEPS)
    exponent = corner.exponent
    return np.asarray(corner.extent * (1 - (1 - part**exponent) ** (1 / exponent)), np.float32)


def face_occluders(frame: Frame, slab: Slab, at: Plane, fields: Mapping[Name, Field]) -> tuple[Occluder, ...]:
    """The occluders of a slab's face, nearest first; with `fields`, each sends the light of its own field."""
    if not fields:
        one = screen_over(frame, slab, at)
        return () if one is None else (one,)
    if slab.role in ("part", "strap"):
        return ()
    straps = [other for other in frame.device.slabs if other.role == "strap"]
    others = [
        (other, piece, number)
        for other in straps or frame.device.slabs
        if straps or (other.role not in ("part", "strap") and (other is not slab or slab.bend is not None))
        for number, piece in enumerate(straightened(other))
    ]
    others.sort(key=lambda other: float(np.linalg.norm(pose(other[1])[1] - at.origin)))
    rectangles = []
    for other, piece, number in others:
        for side in FACES:
            front = side == "front"
            near = other is slab or _meet(plane(piece, front), piece, at, slab)
            if near and (other.name, side, number) in fields:
                one = rectangle(frame, piece, front)
                # Points below a stand also gather light; they count as just before the stand.
                behind = 0.0 if straps else other.size[2] / 2
                rectangles.append(replace(one, field=fields[other.name, side, number], behind=behind))
        ends = () if straps else get_args(Side)
        rectangles += [
            _wall(frame, other, end, fields)
            for end in ends
            if (other.name, end, 0) in fields and _meet(wall(other, end), other, at, slab)
        ]
    return tuple(rectangles)


def _wall(frame: Frame, slab: Slab, end: Side, fields: Mapping[Name, Field]) -> Occluder:
    """A side wall of a slab."""
    width, height, deep = slab.size
    half = (height if end in ("left", "right") else width) / 2, deep / 2
    occluder = patch(wall(slab, end), half, frame.wall(slab), frame.camera, frame.light)
    return replace(occluder, field=fields[slab.name, end, 0])


def _meet(one: Plane, slab: Slab, other: Plane, under: Slab) -> bool:
    """Whether a part of each face is before the other."""

    def before(at: Plane, of: Slab, face: Plane) -> bool:
        reach = abs(at.x @ face.normal) * of.size[0] / 2 + abs(at.y @ face.normal) * of.size[1] / 2
        return bool((at.origin - face.origin) @ face.normal + reach > NEAR)

    return before(one, slab, other) and before(other, under, one)


def screen_over(frame: Frame, slab: Slab, at: Plane) -> Occluder | None:
    """The slab with a screen as an occluder of another slab's face; None if no screen faces it, or for raised
    parts."""
    if slab.role in ("part", "stand"):
        return None
    for screen in frame.device.screens:
        other = frame.slabs[screen.slab]
        if other is not slab and facing(plane(other, True), at):
            return replace(rectangle(frame, other, True), corner=other.corner)
    return None


def wall_occluders(frame: Frame, slab: Slab, fields: Mapping[Name, Field]) -> list[Occluder]:
    """Occluders of a slab's walls: a deck for a lid, straps for a watch's case, a foot for a stand."""
    if fields and not any(other.role == "strap" for other in frame.device.slabs):
        return list(_standing(frame, slab, fields))
    if slab.role in ("part", "stand") and frame.wall(slab)[0].metal:
        return []
    rectangles = []
    for other in frame.device.slabs:
        if other.role == "strap":
            # A case's wall continues inside the strap, so it sees the strap from behind; other straps do not.
            behind = 0.0 if slab.role == "strap" else other.size[2]
            rectangles += [
                replace(
                    rectangle(frame, piece, side == "front"),
                    behind=behind, field=fields[other.name, side, number], least=NEAR,
                )
                for number, piece in enumerate(pieces(other)) for side in FACES
            ]  # fmt: skip
            if slab.role == "case":
                rectangles += _sides(frame, other)
            continue
        if other is slab or other.role in ("part", "stand") or slab.role in ("part", "stand"):
            continue
        if slab.role == "strap":
            rectangles += [
                replace(
                    rectangle(frame, other, side == "front"),
                    field=fields[other.name, side, 0],
                )
                for side in FACES
            ]
            if slab.base is not None:
                rectangles.append(_end(frame, other, slab))
            continue
        at, center = plane(other, True), pose(slab)[1]
        near = 0 < (center - at.origin) @ at.normal < slab.size[1]
        if near:
            rectangles.append(rectangle(frame, other, True, closed=True))
    return rectangles


def _sides(frame: Frame, strap: Slab) -> Iterator[Occluder]:
    """The walls of a strap, which its case sees beside it."""
    for piece in pieces(strap):
        half = piece.size[1] / 2, piece.size[2] / 2
        for side in ("left", "right"):
            yield replace(
                patch(wall(piece, side), half, frame.wall(strap), frame.camera, frame.light), least=NEAR
            )


def _standing(frame: Frame, slab: Slab, fields: Mapping[Name, Field]) -> Iterator[Occluder]:
    """Occluders of the walls of a display, its stand and foot."""
    if slab.role in ("part", "strap"):
        return
    ends = corners(slab)
    plates = [other for other in frame.device.slabs if other.role not in ("part", "strap")]
    others = [other for other in plates if other is not slab]
    if slab.bend is not None:
        # The inside of a bend faces the rest of the same slab, which is nearest.
        others = [slab, *others]
    known = (
        (one, number, piece, side)
        for one in others
        for number, piece in enumerate(straightened(one))
        for side in (*FACES, *get_args(Side))
        if (one.name, side, number) in fields
    )
    for other, number, piece, side in known:
        at = plane(piece, side == "front") if side in FACES else wall(piece, side)
        if other is not slab and ((ends - at.origin) @ at.normal).max() < GAP:
            continue
        if side not in FACES:
            yield _wall(frame, other, side, fields)
            continue
        one = rectangle(frame, piece, side == "front")
        one = replace(one, behind=other.size[2] / 2, field=fields[other.name, side, number])
        yield one
        if slab.role == "stand" and other.bend is None and _ends(slab, at):
            # The stand's rounded lower edge and the foot form a gap.
            yield replace(one, closed=True, depth=TOUCHING, sunk=_sunk(slab, at, frame.camera))


def _ends(slab: Slab, at: Plane) -> bool:
    """Whether a slab stands on a face with its bottom wall."""
    end = wall(slab, "bottom").origin
    return bool(abs((end - at.origin) @ at.normal) < GAP and at.normal @ wall(slab, "bottom").normal < -0.5)


def _sunk(slab: Slab, at: Plane, camera: Camera) -> F32 | None:
    """The side (3,), front or back, on which a slab's lower edge has sunk into a face; None for neither."""
    axes, center = pose(slab)
    low = center - (slab.size[1] / 2 - slab.edge) * axes[:, 1] - at.origin
    for out in (axes[:, 2], -axes[:, 2]):
        if float((low + (slab.size[2] / 2 - slab.edge) * out) @ at.normal) < slab.edge - SUNK:
            return np.asarray(camera.view(out[None])[0], np.float32)
    return None


def facing(one: Plane, other: Plane) -> bool:
    """Whether each of two faces has the middle of the other before it."""
    apart = one.origin - other.origin
    return bool(apart @ other.normal > 0 > apart @ one.normal)


def rectangle(frame: Frame, slab: Slab, front: bool, *, closed: bool = False) -> Occluder:
    """The front or back of a slab."""
    half, sends = (slab.size[0] / 2, slab.size[1] / 2), frame.face(slab, front)
    return patch(plane(slab, front), half, sends, frame.camera, frame.light, closed=closed)


def patch(
    at: Plane, half: tuple[float, float], sends: tuple[Material, F32], camera: Camera, light: Light, *,
    closed: bool = False,
) -> Occluder:  # fmt: skip
    """A rectangle on a plane, `half` its sizes in mm, of a material and linear colour (3,)."""
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    middle = camera.view(at.origin[None])[0].astype(np.float32)
    return Occluder(middle, axes, half, Ground(axes[2], *sends, light), closed=closed)


def _end(frame: Frame, case: Slab, slab: Slab) -> Occluder:
    """The wall of a case that a strap comes out of, as wide as the strap, without its rounded edges."""
    axes, center = pose(case)
    above = (pose(slab)[1] - center) @ axes[:, 1] > 0
    half = slab.size[0] / 2, (case.size[2] - case.edge) / 2
    # The wall mirrors mostly the strap, so it gets the strap's colour.
    occluder = patch(
        wall(case, "top" if above else "bottom"), half, frame.wall(slab), frame.camera, frame.light
    )
    return replace(occluder, behind=slab.size[2] / 2, least=NEAR)
