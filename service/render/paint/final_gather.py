"""Final gather: the outgoing radiance of a face near occluders, by rays drawn at some of its points.

Prefiltered environment maps contain no occluders. But a laptop's deck reflects both the environment beside
the lid and the lid itself, which mirrors lamps. Rays drawn from the deck's lobe hit one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.face import Plane
from ..geometry.raster import Box
from ..kernels.lobes import gather, weigh
from ..kernels.occluders import Rays, throw
from ..kernels.pictures import project
from ..light.brdf import Parts, hemisphere, multiscatter_gain, parts, split_sum
from ..light.frame import Frame
from ..light.lobes import Runs, runs
from ..light.neighbours import foot
from ..light.occluder import ANYWHERE, NONE, Occluder
from ..light.shading import SKY_MIP, Light, fresnel
from ..material import Material
from ..scattered import bilinear
from .culling import hides
from .plane import fitted

FEW = 2  # points across a narrow face; by cost
NARROW = 20.0  # mm; across a narrower face, light hardly changes; by cost
RAYS, SKY = 96, 64  # rays of a point's lobe and of its matt light; by cost
WIDE = 4  # mip level of the environment that rays of matt light look up; by construction
FINE = 8  # lookups of the environment around each matt ray if lamps may show between panels; by cost
# Mm from the end of an occluder that covers a part of a face at which points are added; by cost.
NEARBY = (-64, -32, -16, -6, 6, 16, 32, 64)
APART = 5.0  # mm; the least distance between points; by cost
# share of a face's side, measured from its middle; an occluder's end within it counts as well inside; by eye
WITHIN = 0.375
CLOSE = (-8, -4, -1, 1, 4, 8)  # mm from such ends, at which points are added; by cost
SAME = 0.5  # mm; the least distance between such points; by cost
# Points where a neighbour stands on a face: the distance between them, mm; the margin around the foot in
# which they are added, mm; and their largest number; by cost.
DENSE, AROUND, MOST_DENSE = 2.0, 8.0, 56
# an empty mask, which kernels take as everything covered; by construction
ALL = np.zeros((0, 0), np.uint8)
SPACING = 1.5  # mm between the pixels to which the points are interpolated; by cost


@dataclass(frozen=True, slots=True, eq=False)
class FinalGather:
    """The light of a whole face of `size` mm, as a `picture` (h, w, 4) float32 seen straight on.

    Its channels are the radiance and the share of matt light lost. The lost light has a `hue` (3,), around 1.
    """

    picture: F32
    size: tuple[float, float]
    hue: F32

    def seen(self, at: Plane, frame: Frame, box: Box) -> tuple[F32, F32]:
        """Radiance (h, w, 3) and share (h, w) in a box of the canvas; `at` is the face."""
        size, key = (box.height, box.width), (fitted, self, frame.fine)
        shown = frame.memo.get(
            key, lambda: fitted((self.picture,), at.homography(frame.camera), (0, 0), self.size)
        )
        light, share = np.empty((*size, 3), np.float32), np.empty(size, np.float32)
        project(shown.picture, shown.into(box), (0, 0), ALL, light, share)
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
    """The light that a slab's face, with occluders `over` it, sends the camera or an `eye` (3,), view mm.

    There are more sample points where other devices' occluders, `beside`, stand on the face.
    """
    camera = frame.camera
    width, height, _ = slab.size
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
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
    grid, hue = sent(frame, frame.face(slab, front), at, over, (columns, rows), eye, needed)
    # Rows run from top to bottom.
    places = between(columns, width), between(-rows[::-1], height)
    # Cubic interpolation overshoots where the distance between points changes abruptly.
    uneven = any(map(_inside, (width, height), spans))
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
    """Radiance and share of matt light lost (rows, columns, 4) of places on a face, and its hue (3,).

    The `places` are columns and rows, mm right of and above the face's middle; results start with the
    uppermost row. `paint` is the face's material and linear colour (3,). The camera or an `eye` (3,), view
    mm, sees it. If the places `needed` (n,) are given, results are 0 at all others.
    """
    (material, color), (columns, rows), camera, light = paint, places, frame.camera, frame.light
    flat = _placed(at, columns, rows)
    points = camera.view(flat if needed is None else flat[needed]).astype(np.float32)
    away = (frame.eye if eye is None else eye) - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    cosine = np.maximum(toward @ axes[2], np.float32(1e-3))
    straight, grazing = _lobes(frame, points, toward, axes, over, material)
    white, lost, thrown = _matt(points, axes, over, light)
    matt = (white * (1 - lost) + thrown) * color
    if material.metal:
        a, b = (part[:, None] for part in split_sum(cosine, material.roughness))
        radiance = (straight * a * color + grazing * b) * multiscatter_gain((a + b)[:, 0], color)
        radiance += (matt - radiance) * np.float32(material.diffuse)
    else:
        kept = fresnel(material, cosine)[:, None]
        radiance = grazing * kept + matt * np.float32(material.albedo) * (1 - kept)
    share = lost.mean(axis=1, keepdims=True)
    hue = lost.sum(axis=0) / np.maximum(share.sum(), np.float32(1e-6))
    whole = np.concatenate([radiance, share], axis=1)
    if needed is not None:
        some, whole = whole, np.zeros((len(flat), 4), np.float32)
        whole[needed] = some
    return whole.reshape(len(rows), len(columns), 4), hue


def _placed(at: Plane, columns: F64, rows: F64) -> F64:
    """The points (n, 3) of a face's grid, device mm, row by row from the uppermost."""
    x, y = np.meshgrid(columns, rows[::-1])
    return np.asarray(at.origin + x.reshape(-1, 1) * at.x + y.reshape(-1, 1) * at.y, np.float64)


def _needed(frame: Frame, slab: Slab, at: Plane, columns: F64, rows: F64) -> NDArray[np.intp] | None:
    """Those places (n,) of a grid on a slab's face that are visible or close to a visible place; None if all
    are."""
    hidden = hides(frame, slab, _placed(at, columns, rows))
    if hidden is None:
        return None
    seen = (~hidden).all(axis=0).reshape(len(rows), len(columns))
    return np.flatnonzero(cv2.dilate(seen.astype(np.uint8), np.ones((7, 7), np.uint8)))


def _places(side: float, spans: Sequence[tuple[float, float]], most: int) -> F64:
    """Places (n,) along a face's side, mm from its middle: denser near its ends and the ends of occluders.

    `spans` are the occluders' extents. Light changes within a few mm of the end of an occluder that covers
    less than half of the side, and within fewer mm if that end is well inside the face.
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
    """Places along a side, and more where a foot stands, whose corners are at `along` (n,)."""
    low, high = np.clip((along.min() - AROUND, along.max() + AROUND), -side / 2, side / 2)
    count = int(min((high - low) / DENSE, MOST_DENSE)) + 1
    added = [one for one in np.linspace(low, high, count) if np.abs(places - one).min() > SAME]
    return np.sort(np.append(places, added))


def _inside(side: float, spans: Sequence[tuple[float, float]]) -> list[float]:
    """The ends of `spans` that lie well inside a face; none if the face is narrow."""
    return [end for span in spans for end in span if abs(end) < WITHIN * side and side > NARROW]


def _lobes(
    frame: Frame, points: F32, toward: F32, axes: F32, over: Sequence[Occluder], material: Material
) -> F32:
    """The mean light (2, n, 3) in the lobes that a material mirrors `toward` the eye (n, 3).

    A metal multiplies the first by its colour. The second is white: the light that Fresnel's law adds at
    grazing angles, from the part of the lobe closest to the face. Dielectrics have only the second.
    """
    light, sharp, metal = frame.light, frame.quality.sharp_occluders, material.metal
    gathered = np.zeros((2, 3, len(points)), np.float32)
    if not metal and not material.specular:
        return gathered.transpose(0, 2, 1)
    lobe = parts(material.roughness, 0.0, RAYS)
    leaving, weights = _weighed(lobe, axes, toward)
    # For metal, the first row becomes the lobe without the light that Fresnel's law adds at grazing angles.
    weights[0] -= weights[1] if metal else 0
    weights = weights if metal else weights[:1]
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.float32(1e-6))
    sums = gathered if metal else gathered[1:]
    seen = runs(lobe, light)
    whole, normals = (_middle(seen),), np.tile(axes[2], (len(points), 1))
    cones = Rays(points, leaving, lobe.cone)
    # Occluders come nearest first: each hides a share of the light that nearer ones let through.
    for one in over:
        at = one.shape.before(cones, normals, 0.0, *ANYWHERE)
        share = one.shape.hidden(cones, at, NONE)[0]
        if one.field is not None:
            one.shape.emitted(one.field.texels, cones, at, share, weights, sums)
            continue
        hit = np.flatnonzero(share)
        ray, point = np.divmod(hit, max(len(at), 1))
        point, share = at[point], share.ravel()[hit]
        ways = np.stack([way[ray, point] for way in leaving], axis=1)
        # Only smooth faces mirror more of the environment in wider cones.
        levels = seen if sharp and not one.face.material.roughness else whole
        ends = np.searchsorted(ray, [run.stop for _, run in levels])
        sent = [
            one.blurred(mip).radiance(part)
            for (mip, _), part in zip(levels, np.split(ways, ends[:-1]), strict=True)
            if len(part)
        ]
        if sent:
            light_in = np.ascontiguousarray(np.concatenate(sent))
            throw((ray.astype(np.int32), point, share), light_in, weights, sums)
    for mip, run in seen:
        square = light.environment.mips[mip]
        gather(light.sky(square), leaving, weights, run.start, run.stop, sums)
    return gathered.transpose(0, 2, 1)


def _weighed(lobe: Parts, axes: F32, toward: F32) -> tuple[F32, F32]:
    """Directions (3, k, n) and weights (2, k, n) of a face's lobes, see `kernels.lobes.weigh`."""
    count = len(toward)
    leaving, weights = (np.empty((size, len(lobe.half), count), np.float32) for size in (3, 2))
    normals, along = (np.ascontiguousarray(np.broadcast_to(way, toward.shape)) for way in (axes[2], -axes[1]))
    # The grain runs along -y, so the lobe's x is across it.
    half = np.ascontiguousarray(lobe.half * np.array([1, -1, 1], np.float32))
    weigh((half, lobe.share, *lobe.alpha), 0.0, (normals, along, toward), leaving, weights)
    return leaving, weights


def _middle(seen: Runs) -> tuple[int, slice]:
    """All runs of a lobe's parts merged into one, at the mip level of the middle part."""
    count = seen[-1][1].stop
    return next(mip for mip, run in seen if run.stop > count // 2), slice(0, count)


def _matt(points: F32, axes: F32, over: Sequence[Occluder], light: Light) -> tuple[F32, F32, F32]:
    """The radiance (3,) of a white matt surface without occluders, the shares (n, 3) of it that are lost, and
    the radiance (n, 3) that light from rough occluders adds."""
    rays = hemisphere(SKY) @ axes
    if any(one.field is not None for one in over):
        # A lamp may be visible in the gap between two panels, so look up the environment more finely.
        fine, means = _fine()
        seen = means @ light.narrow(SKY_MIP, *(fine @ axes).T[:, None])[0]
    else:
        seen = light.narrow(WIDE, *rays.T[:, None])[0]
    ways = np.ascontiguousarray(np.broadcast_to(rays.T[:, :, None], (3, SKY, len(points))))
    cones = Rays(points, ways, np.full(SKY, 2 * SKY**-0.5, np.float32))
    left, thrown = np.ones((1, SKY, len(points)), np.float32), np.zeros((1, 3, len(points)), np.float32)
    normals = np.tile(axes[2], (len(points), 1))
    for one in over:
        at = one.shape.before(cones, normals, 0.0, *ANYWHERE)
        share = one.shape.hidden(cones, at, NONE)[0]
        if one.field is not None:
            one.shape.emitted(one.field.texels, cones, at, share, left, thrown)
            continue
        own = left[0][:, at] * share
        if one.face.material.roughness:
            thrown[0][:, at] += one.face.radiance(rays).T @ own
        left[0][:, at] -= own
    filled = 1 - left[0].T
    lost = np.asarray(filled @ seen / np.maximum(seen.sum(axis=0), np.float32(1e-6)), np.float32)
    thrown = thrown[0].T / np.float32(SKY)
    return light.diffuse(axes[2:])[0], lost, thrown


@cache
def _fine() -> tuple[F32, F32]:
    """Fine directions (n, 3) around z, and their weights (SKY, n) in the mean around each matt ray."""
    fine = hemisphere(SKY * FINE)
    nearest = (fine @ hemisphere(SKY).T).argmax(axis=1) == np.arange(SKY)[:, None]
    return fine, (nearest / nearest.sum(axis=1, keepdims=True)).astype(np.float32)


def spread(grid: F32, x: F32, y: F32, mode: int) -> F32:
    """Interpolate a `grid` of gathered light at fractional columns x and rows y."""
    picture = cv2.remap(grid, *np.meshgrid(x, y), mode, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(picture, np.float32)


def between(places: F64, side: float, spacing: float = SPACING) -> F32:
    """Pixels evenly `spacing` mm apart along a side, as fractional indices into its ascending `places`."""
    many = math.ceil(side / spacing)
    middle = ((np.arange(many) + 0.5) / many * 2 - 1) * side / 2
    return np.interp(middle, places, np.arange(len(places))).astype(np.float32)
