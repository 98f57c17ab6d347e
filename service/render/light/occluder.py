"""Occluders: rectangles that hide a part of the light on a nearby surface, and light it themselves.

A laptop's lid is an occluder of its deck, a monitor's stand of its foot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32
from ...devices.device import Corner, Side, Slab
from ..geometry.bend import pieces, straightened
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane, wall
from ..geometry.mesh import corners, pose
from ..kernels import occluders as kernel
from ..kernels.occluders import Rays, Rectangle, lose, throw
from ..material import Material
from .field import FACES, Field, Name
from .frame import Frame, per_frame
from .shading import Ground, Light

GAP = 5.0  # mm; a slab that ends within this distance of a face is close to it; fitted to the references
# mm by which an occluder must rise above a face or a point's horizon to be considered there. Points of a
# watch also count as at least this far in front of a strap or case; a guard.
NEAR = 0.3
LEAST = 0.02  # mm; all other points count as at least this far in front of any occluder; a guard
STEPS = 4097  # places along a corner at which the height of its edge is tabulated; by construction
NONE = np.zeros((0, 0), np.float32)  # an absent array, for kernels; by construction
# Sine and cosine of a cone that contains every direction, slightly beyond their ranges; by construction.
ANYWHERE = 2.0, -2.0

#: Runs of rays, each with the mip level of the environment whose texels suit their cones.
Runs = tuple[tuple[int, slice], ...]


@dataclass(frozen=True, eq=False)
class Occluder:
    """A rectangle in view space that hides light and sends its own: the front, back or a wall of a slab.

    Shape: `middle` (3,), mm; unit `axes` (3, 3) as rows x, y and normal; and `half`, half its width and
    height, mm. Its lower edge rises at its rounded `corner`. Points more than `behind` mm behind it do not
    see it; others count as at least `least` mm in front of it. Where it comes close to a face along a line,
    `foot` (3,) is a point of the line.

    Light: it sends the radiance of its `face`, or that of a surface light `field` if it is lit by other
    panels. `left` takes places across and up (n,), mm, and ray directions (n, 3), and returns the shares of
    light that nearer occluders leave at those places. If it is `sharp`, each ray of a lobe looks up its own
    light. If it is not `matt`, only lobes see it.
    """

    middle: F32
    axes: F32
    half: tuple[float, float]
    face: Ground
    corner: Corner | None = None
    behind: float = 0.0
    foot: F32 | None = None
    field: Field | None = None
    least: float = LEAST
    sharp: bool = False
    matt: bool = True
    left: Callable[[F32, F32, F32], F32] | None = None

    @cached_property
    def shape(self) -> Rectangle:
        """The rectangle as kernels take it."""
        of, rise, start = np.empty(16, np.float32), NONE.ravel(), 0.0
        of[:3], of[3:12], of[12:] = self.middle, self.axes.ravel(), (*self.half, self.least, self.behind)
        if self.corner is not None and self.corner.extent:
            rise, start = _rise(self.corner), self.half[0] - self.corner.extent
        return Rectangle(of, rise, start)

    def sent(self, points: F32, leaving: F32) -> F32:
        """The radiance (n, 3) that the occluder sends to points (n, 3), which see it in directions `leaving`
        (n, 3)."""
        if self.field is None:
            return self.face.radiance(leaving)
        return self.field.sent(*self.met(points, leaving), leaving)

    def hide(self, rays: Rays, at: NDArray[np.int32], levels: Runs, weights: F32, sums: F32) -> None:
        """Subtract from `weights` (w, k, n) the shares of cones that the occluder hides, and add its light to
        `sums`.

        Only the points `at` (m,) see the occluder. A point receives the radiance in a single direction, the
        mean over the hidden part of its cones; if the occluder is `sharp` and not of a single colour, each
        ray receives the radiance in its own direction. A smooth face mirrors the environment at the mip level
        of each run of rays in `levels`. `sums` are (w, 3, n).
        """
        shares, middle = self.shape.hidden(rays, at)
        if not shares.any():
            return
        if self.sharp and self.field is not None:
            self.shape.emitted(self.field.texels, rays, at, shares, weights, sums)
        elif self.sharp and self.face.material.lit:
            hit, ray, point, ways = _hits(rays, at, shares)
            # Only the light of a smooth face depends on the width of the cones.
            levels = levels if self._smooth else levels[:1]
            ends = np.searchsorted(ray, [run.stop for _, run in levels[:-1]])
            parts = zip(levels, np.split(ways, ends), strict=True)
            sent = np.concatenate([self._blurred(mip).radiance(some) for (mip, _), some in parts])
            hits = ray.astype(np.int32), point, shares.ravel()[hit]
            throw(hits, np.ascontiguousarray(sent), weights, sums)
        else:
            if self.field is None:
                sent = self._blurred(levels[len(levels) // 2][0]).radiance(middle)
            else:
                sent = self.shape.sent(self.field.texels, rays, at, middle)
            dim = NONE
            if self.left is not None:
                hit, _, point, ways = _hits(rays, at, shares)
                dim = np.zeros_like(shares)
                dim.ravel()[hit] = self.left(*self.met(np.asarray(rays.points)[point], ways), ways)
            lose(rays, at, shares, np.ascontiguousarray(sent), weights, sums, dim)

    @property
    def _smooth(self) -> bool:
        return self.face.material.lit and not self.face.material.roughness

    def _blurred(self, mip: int) -> Ground:
        """The occluder's face as wide cones see it: if it is smooth, it mirrors the environment's mip level
        `mip`."""
        if not self._smooth:
            return self.face
        return replace(self.face, light=replace(self.face.light, mip=mip))

    def filled(self, points: F32, leaving: F32, cone: F32 | float) -> F32:
        """The shares (n, k) of cones that the occluder fills; the cones' axes are the rays `leaving` (n, k,
        3) points (n, 3), view mm.

        A cone's light falls off linearly up to `cone` (k,) radians from its axis.
        """
        radii = np.broadcast_to(np.asarray(cone, np.float32), leaving.shape[1]).copy()
        rays = Rays(points, np.ascontiguousarray(leaving.transpose(2, 1, 0)), radii)
        return np.asarray(self.shape.hidden(rays, np.arange(len(points), dtype=np.int32))[0].T)

    def span(self, origin: F32, axis: F32) -> tuple[float, float]:
        """The start and end, mm, of the occluder's extent along an axis (3,) through `origin` (3,)."""
        middle, reach = (self.middle - origin) @ axis, np.abs(self.axes[:2] @ axis) @ np.array(self.half)
        return float(middle - reach), float(middle + reach)

    def above(self, points: F32, normals: F32, found: NDArray[np.bool_]) -> None:
        """Mark in `found` (n,) the points (n, 3) with unit normals (n, 3) that may see the occluder: it must
        face them and rise above their horizon."""
        self.shape.above(points, normals, NEAR, found.view(np.uint8))

    def before(self, rays: Rays, normals: F32, cone: tuple[float, float]) -> NDArray[np.int32]:
        """The indices (m,) of points with unit `normals` (n, 3) that may see the occluder within a cone
        around their first ray.

        `cone` is the sine and cosine of the cone's radius.
        """
        return np.asarray(self.shape.before(rays, normals, NEAR, *cone))

    def met(self, points: F32, leaving: F32) -> tuple[F32, F32]:
        """The places where rays `leaving` (n, 3) points (n, 3) meet the occluder's plane: right and up (n,),
        mm from its middle."""
        x, y, normal = self.axes
        apart = points - self.middle
        way = np.maximum(apart @ normal, np.float32(self.least))
        way /= np.maximum(-(leaving @ normal), np.float32(1e-3))
        return apart @ x + way * (leaving @ x), apart @ y + way * (leaving @ y)


def hide(
    others: Sequence[Occluder],
    rays: Rays,
    normals: F32,
    cone: tuple[float, float],
    levels: Runs,
    weights: F32,
    sums: F32,
) -> None:
    """Let occluders, nearest first, hide shares of the cones of points that may see them.

    Points have unit `normals` (n, 3), and `cone` is as in `Occluder.before`; see `Occluder.hide` for the
    rest.
    """
    for lit, some in groupby(others, key=_fielded):
        if lit:
            shapes = tuple((one.shape, one.field.texels, one.sharp) for one in some if one.field is not None)
            kernel.hide(shapes, rays, normals, (NEAR, *cone), weights, sums)
            continue
        for one in some:
            at = one.before(rays, normals, cone)
            if len(at):
                one.hide(rays, at, levels, weights, sums)


def blend(
    others: Sequence[Occluder], radiance: F32, points: F32, mirrored: F32, kept: F32, alpha: float
) -> None:
    """Blend the light of occluders into the radiance (n, 3) of points (n, 3) that may mirror them, in place.

    The points mirror a lobe of `alpha` around the directions `mirrored` (n, 3), and reflect the share `kept`
    (n, 1) of its light.
    """
    ways = np.ascontiguousarray(mirrored.T[:, None])
    rays, every = Rays(points, ways, np.full(1, alpha, np.float32)), np.arange(len(points), dtype=np.int32)
    for one in others:
        share = one.shape.hidden(rays, every)[0][0]
        at = np.flatnonzero(share)
        if len(at):
            sent = one.sent(points[at], mirrored[at]) * kept[at]
            radiance[at] += (sent - radiance[at]) * share[at, None]


def _fielded(one: Occluder) -> bool:
    """Whether an occluder sends the light of a field and nothing else."""
    return one.field is not None and one.left is None


def _hits(
    rays: Rays, at: NDArray[np.int32], shares: F32
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int32], F32]:
    """The cones that are at least partly hidden: their indices (h,) in the flattened `shares` (k, m), their
    rays (h,), points (h,) and unit directions (h, 3)."""
    hit = np.flatnonzero(shares)
    ray, point = np.divmod(hit, len(at))
    return hit, ray, at[point], np.asarray(rays.ways)[:, ray, at[point]].T


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
    if slab.role == "strap" or (slab.role == "part" and not _holds(frame, slab)):
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
            near = other is slab or meet_partly(plane(piece, front), piece, at, slab)
            if near and (other.name, side, number) in fields:
                one = rectangle(frame, piece, front)
                # Light is also gathered at points below a stand, which count as just in front of it.
                behind = 0.0 if straps else other.size[2] / 2
                rectangles.append(replace(one, field=fields[other.name, side, number], behind=behind))
        ends = () if straps else get_args(Side)
        rectangles += [
            _wall(frame, other, end, fields)
            for end in ends
            if (other.name, end, 0) in fields and meet_partly(wall(other, end), other, at, slab)
        ]
    return tuple(rectangles)


def _holds(frame: Frame, slab: Slab) -> bool:
    """Whether a stand is attached to a slab."""
    return any(other.role == "stand" and other.parent == slab.name for other in frame.device.slabs)


def _wall(frame: Frame, slab: Slab, end: Side, fields: Mapping[Name, Field]) -> Occluder:
    """A side wall of a slab."""
    width, height, deep = slab.size
    half = (height if end in ("left", "right") else width) / 2, deep / 2
    occluder = patch(wall(slab, end), half, frame.wall(slab), frame.camera, frame.light)
    return replace(occluder, field=fields[slab.name, end, 0])


def meet_partly(one: Plane, slab: Slab, other: Plane, under: Slab) -> bool:
    """Whether each of two slabs' faces lies at least partly in front of the other face."""

    def before(at: Plane, of: Slab, face: Plane) -> bool:
        reach = abs(at.x @ face.normal) * of.size[0] / 2 + abs(at.y @ face.normal) * of.size[1] / 2
        return bool((at.origin - face.origin) @ face.normal + reach > NEAR)

    return before(one, slab, other) and before(other, under, one)


def screen_over(frame: Frame, slab: Slab, at: Plane) -> Occluder | None:
    """The slab with a screen as an occluder of another slab's face; None if no screen faces that face, or if
    the other slab is a raised part."""
    if slab.role in ("part", "stand"):
        return None
    for screen in frame.device.screens:
        other = frame.slabs[screen.slab]
        if other is not slab and facing(plane(other, True), at):
            return replace(rectangle(frame, other, True), corner=other.corner)
    return None


def wall_occluders(frame: Frame, slab: Slab, fields: Mapping[Name, Field]) -> list[Occluder]:
    """Occluders of a slab's walls: straps for a watch's case, its case for a strap, a foot for a stand."""
    straps = [other for other in frame.device.slabs if other.role == "strap"]
    if not straps:
        return list(_standing(frame, slab, fields))
    if slab.role == "part" and frame.wall(slab)[0].metal:
        return []
    # A case's wall continues inside the straps, so it sees them from behind; another strap's wall does not.
    inside = slab.role != "strap"
    kept: dict[str, list[Occluder]] = frame.memo.get((_faces, inside), _faces, frame, straps, fields, inside)
    rectangles = []
    for other in straps:
        rectangles += kept[other.name]
        if slab.role == "case":
            rectangles += _sides(frame, other)
    for case in frame.device.slabs if slab.role == "strap" else ():
        if case.role == "case":
            faces = ((side, rectangle(frame, case, side == "front")) for side in FACES)
            rectangles += [replace(one, field=fields[case.name, side, 0]) for side, one in faces]
            if slab.base is not None:
                rectangles.append(_end(frame, case, slab))
    return rectangles


def _faces(
    frame: Frame, straps: Sequence[Slab], fields: Mapping[Name, Field], inside: bool
) -> dict[str, list[Occluder]]:
    """The faces of straps, by their names.

    Slabs that reach `inside` a strap see the nearer of its faces from behind.
    """
    return {
        strap.name: [
            replace(
                rectangle(frame, piece, side == "front"),
                behind=strap.size[2] / 2 if inside else 0.0,
                field=fields[strap.name, side, number], least=NEAR,
            )
            for number, piece in enumerate(pieces(strap)) for side in FACES
        ]
        for strap in straps
    }  # fmt: skip


def _sides(frame: Frame, strap: Slab) -> Iterator[Occluder]:
    """The side walls of a strap, which its case sees beside the strap's faces."""
    for piece in pieces(strap):
        half = piece.size[1] / 2, piece.size[2] / 2
        for side in ("left", "right"):
            yield replace(
                patch(wall(piece, side), half, frame.wall(strap), frame.camera, frame.light), least=NEAR
            )


def _standing(frame: Frame, slab: Slab, fields: Mapping[Name, Field]) -> Iterator[Occluder]:
    """Occluders of the walls of a display, of its stand and foot, and of the raised part that holds them."""
    if slab.role == "strap" or (slab.role == "part" and not _holds(frame, slab)):
        return
    ends = corners(slab)
    plates = [other for other in frame.device.slabs if other.role not in ("part", "strap")]
    others = [other for other in plates if other is not slab]
    if slab.role == "part":
        # The light of a raised part includes what the face below it hides and reflects.
        others = [other for other in others if other.name != slab.parent]
    if slab.bend is not None:
        # The inside of a bend faces the rest of its own slab, which is the nearest occluder.
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
        yield replace(one, behind=other.size[2] / 2, field=fields[other.name, side, number])


def facing(one: Plane, other: Plane) -> bool:
    """Whether each of two faces lies with its middle in front of the other."""
    apart = one.origin - other.origin
    return bool(apart @ other.normal > 0 > apart @ one.normal)


@per_frame
def rectangle(frame: Frame, slab: Slab, front: bool) -> Occluder:
    """The front or back of a slab."""
    half, sends = (slab.size[0] / 2, slab.size[1] / 2), frame.face(slab, front)
    return patch(plane(slab, front), half, sends, frame.camera, frame.light)


def patch(
    at: Plane, half: tuple[float, float], sends: tuple[Material, F32], camera: Camera, light: Light
) -> Occluder:
    """A rectangle on a plane with `half`, half its width and height in mm, which `sends` the light of a
    material and linear colour (3,)."""
    axes = camera.view(at.axes).astype(np.float32)
    middle = camera.view(at.origin[None])[0].astype(np.float32)
    return Occluder(middle, axes, half, Ground(axes[2], *sends, light))


def _end(frame: Frame, case: Slab, slab: Slab) -> Occluder:
    """The wall of a case that a strap comes out of, as wide as the strap, without its rounded edges.

    Its shadow on the strap's matt surface is computed by `joint.left`.
    """
    axes, center = pose(case)
    above = (pose(slab)[1] - center) @ axes[:, 1] > 0
    half = slab.size[0] / 2, (case.size[2] - case.edge) / 2
    # The wall mirrors mostly the strap, so it gets the strap's colour.
    occluder = patch(
        wall(case, "top" if above else "bottom"), half, frame.wall(slab), frame.camera, frame.light
    )
    return replace(occluder, behind=slab.size[2] / 2, least=NEAR, matt=False)
