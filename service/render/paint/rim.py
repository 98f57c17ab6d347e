"""The rim of a face, where wall, gasket and face meet: the exact coverage of a pixel by each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8
from ...devices.device import Face, Slab
from ..geometry.camera import Camera
from ..geometry.coverage import layers, levels, weighted
from ..geometry.face import plane
from ..geometry.mesh import BACK, FRONT, GASKET, JOIN, Mesh
from ..geometry.raster import Box, Samples, bounds
from ..geometry.silhouette import convex_hull
from ..kernels import samples as kernel
from ..light.frame import Frame
from ..light.shading import fresnel
from .wall import GASKET_RADIANCE

BESIDE = 2.0  # px from a fold's arc up to which samples are used instead of exact coverage; by eye
NEAR = 3  # px; a pixel in which all normals are upright takes its direction from pixels this close; by eye
# Number of slopes averaged in a pixel if the border is narrower than a pixel; half as many if it is wider; by
# cost.
SLOPES = 8
# sine of a border's slope below which its normal does not show the outward direction; by eye
LEVEL = np.float32(0.01)
SILENT = 1e-3  # sum of the slopes around a pixel; a smaller sum is a rounding error; a guard
# share by which exact coverage exceeds that of the samples if they have missed a part of the border; by eye
MISSED = np.float32(0.03)
WHOLE = 0.998  # share from which a pixel counts as fully covered; a guard
POLISHED = 1 << 13  # pixels of a border that are polished at a time; by cost


class Rim(NamedTuple):
    """The coverage (h, w) uint8, 0-255, of each part of a slab; they add up to that of its outline.

    `face` is the flat face, `border` the part of the face that bends towards the wall, `gasket` the dark gap
    between border and wall, `wall` the wall. `border` and `gasket` are None without a gap.
    """

    face: U8
    wall: U8
    border: U8 | None = None
    gasket: U8 | None = None


def seen(slab: Slab, camera: Camera, side: int = 0) -> bool | None:
    """The visible face of a straight slab, or of one half of a folded one: True for the front.

    It is None if neither is visible, and for bent slabs without straight halves.
    """
    if side or slab.bend is None:
        for front, there in ((True, True), (False, slab.back is not None and slab.base is None)):
            if there and plane(slab, front, side).seen(camera):
                return front
    return None


def kinds(slab: Slab, shape: Mesh, front: bool, side: int = 0) -> NDArray[np.int8] | None:
    """The kinds (n,) of a mesh's vertices: 1 for the border of the visible face, 2 for its gasket, 0 for the
    rest."""
    if not shape.rim(front, side):
        return None
    kind = np.zeros(len(shape.points), np.int8)
    kind[shape.material == (FRONT if front else BACK)] = 1
    kind[(shape.material == GASKET) & (shape.normals @ plane(slab, front, side).normal > 0)] = 2
    return kind


def rim(shape: Mesh, front: bool, outer: U8, camera: Camera, box: Box, side: int = 0) -> Rim:
    """The coverage of a slab's parts, given the face that is seen and `outer`, the coverage of the slab's
    outline.

    It follows from the rings around the face: if the camera is above a ring's plane, the outline of
    everything above that plane is the convex hull of the projected ring.
    """
    flat, rims = camera.project(shape.cap(front, side)).astype(np.float32), shape.rim(front, side)
    if not rims:
        face = levels([flat], box)
        return Rim(face, _less(outer, face))
    face, own, sealed = layers([flat, *(_hull(camera, points) for points in rims)], box)
    return Rim(face, _less(outer, sealed), _less(own, face), _less(sealed, own))


def _hull(camera: Camera, points: NDArray[np.float64]) -> F32:
    return convex_hull(camera.project(points).astype(np.float32))


def _less(whole: U8, part: U8) -> U8:
    """The difference of two coverages; 0 where `part` is larger than `whole`."""
    return np.asarray(cv2.subtract(whole, part), np.uint8)


def straight(
    slab: Slab, shape: Mesh, front: bool, side: int, camera: Camera, box: Box
) -> tuple[Rim, NDArray[np.bool_]]:
    """The coverage of one half of a folded slab, and a mask (h, w) of the pixels where it is exact, which are
    those away from the arc."""
    assert slab.bend is not None
    outer = levels([_hull(camera, shape.end(side))], box)
    shares = rim(shape, front, outer, camera, box, side)
    x, y, near = np.linalg.inv(plane(slab, front, side).homography(camera))
    away = side * y if slab.bend.axis == "x" else side * x if front else -side * x
    # In each pixel, `away` / `near` is the distance from the fold, mm.
    away, near = (
        of[0] * (np.arange(box.width) + (box.x + 0.5))
        + (of[1] * (np.arange(box.height) + (box.y + 0.5)) + of[2])[:, None]
        for of in (away, near)
    )
    # Distances are measured in the plane of the face. The outside of the arc is behind it, so pixels there
    # may seem to be away from the arc, although the straight half does not cover them.
    beside = (near > 0) & (away > (slab.bend.reach + BESIDE / camera.k) * near) & (outer > 0)
    return shares, np.asarray(beside, bool)


def along_arc(shape: Mesh, camera: Camera) -> Box:
    """The box of canvas pixels around the arc of a folded slab and a little of the halves beside the arc."""
    arc = camera.project(np.concatenate(shape.slices[1:-1]))
    return bounds(arc, camera.width, camera.height, 2 + math.ceil(BESIDE))


def join(walls: Samples, border: Samples | None, shares: Rim) -> None:
    """Scale walls, gasket and border from their samples' shares to exact coverage, and add them up in
    `walls`."""
    kernel.weigh(*walls, shares.wall)
    if border is None or shares.border is None or shares.gasket is None:
        return
    kernel.weigh(*border, shares.border)
    kernel.join(*walls, *border, shares.gasket, GASKET_RADIANCE)


def even(walls: Samples, gasket: U8) -> None:
    """Spread a `gasket` to the pixels beside it, in place; its share (h, w) of each pixel is 0-255.

    A dark line that is thinner than a pixel falls into one pixel in some places and into two in others. The
    total light is the same, but one dark pixel is more conspicuous than two that are half as dark, so the
    line would look dashed.
    """
    kernel.even(*walls, gasket, GASKET_RADIANCE)


def polish(
    frame: Frame, slab: Slab, front: bool, border: Samples, shares: Rim, box: Box, side: int = 0
) -> None:
    """Shade a smooth face's border pixel by pixel, in place: turn its sampled normals, view space, into
    light.

    Vertices along a side are too far apart to interpolate the border's reflections between them. Across the
    border, the normal turns so far within a pixel that each pixel is the average over the slopes that it
    shows.
    """
    if shares.border is None:
        return
    camera, light, face = frame.camera, frame.light, (None if front else slab.back) or slab.front
    material, color = frame.face(slab, front)
    of = plane(slab, front, side)
    axes = camera.view(of.axes).astype(np.float32)
    up = axes[2]
    body = np.zeros(3, np.float32)
    if material.albedo:
        body = light.diffuse(up[None])[0] * color * np.float32(material.albedo)
    flat, whole = border.rgb.reshape(-1, 3), np.float32(1 / 255)
    some = np.flatnonzero((border.hit > 0) & (shares.border > 0))
    _lean(border, shares, some, axes, camera, box)
    for at in (some[start : start + POLISHED] for start in range(0, len(some), POLISHED)):
        hits = border.hit.ravel()[at]
        y, x = np.divmod(at, box.width)
        toward = camera.toward(x + box.x + 0.5, y + box.y + 0.5)
        # A separate array for each axis is several times faster.
        ways, out = (
            list(np.ascontiguousarray(toward.T)),
            [channel / hits for channel in flat[at].T],
        )
        rise, facing = _dot(out, up), _dot(ways, up)
        out = [one - rise * part for one, part in zip(out, up, strict=True)]
        slope = np.sqrt(_dot(out, out))
        scale = 1 / np.maximum(slope, np.float32(1e-6))
        out = [one * scale for one in out]
        outward = _dot(out, ways)
        # Foreshortening narrows a border only as far as it slopes away from the viewer.
        slant = np.maximum(facing * facing + outward * outward, np.float32(1e-3))
        wide = np.float32(camera.k) * facing / np.sqrt(slant)
        own, inside = shares.border.ravel()[at] * whole, shares.face.ravel()[at] * whole
        count = SLOPES if camera.k * _width(slab, face) < 1 else SLOPES // 2
        slopes = _slopes(slab, face, count, np.asarray(wide, np.float32), slope, own, inside)
        root = np.sqrt(1 - slopes * slopes)
        cosine = np.maximum(slopes * outward + root * facing, np.float32(1e-3))
        lean, rise = 2 * cosine * slopes, 2 * cosine * root
        mirrored = (lean * one + rise * part - way for one, part, way in zip(out, up, ways, strict=True))
        share = fresnel(material, cosine)
        radiance = np.einsum("kn,knc->nc", share, light.gleam(*mirrored))
        if material.albedo:
            radiance += body * (len(slopes) - share.sum(axis=0) * np.float32(min(light.strength, 1)))[:, None]
        flat[at] = weighted(radiance[None], (hits / np.float32(len(slopes)))[None])[0]


def _lean(border: Samples, shares: Rim, some: NDArray[np.intp], axes: F32, camera: Camera, box: Box) -> None:
    """Give border pixels whose normals are upright an outward direction, from their neighbours, in place.

    In some of the pixels `some` (flat indices), samples hit only the flat beginning of the border, so the
    normal does not show the outward direction. It is tilted by LEVEL in the mean direction of the normals
    around it, or, if those are upright as well, towards the side where the face covers less. `axes` (3, 3)
    are the face's x, y and normal in view space.
    """
    assert shares.border is not None
    flat, hits, (height, width) = border.rgb.reshape(-1, 3), border.hit.ravel(), border.hit.shape
    up = axes[2]
    some = some[shares.border.ravel()[some] > 255 * (hits[some] + MISSED)]
    level = some[flat[some] @ up > (1 - LEVEL * LEVEL / 2) * hits[some]]
    if not len(level):
        return
    steps = np.arange(-NEAR, NEAR + 1)
    y, x = np.divmod(level, width)
    rows = np.clip(y + steps[:, None], 0, height - 1)[:, None] * width
    around = rows + np.clip(x + steps[:, None], 0, width - 1)
    total = flat[around].sum(axis=(0, 1))
    total -= (total @ up)[:, None] * up
    silent = np.flatnonzero(np.linalg.norm(total, axis=1) < SILENT)
    if len(silent):
        face = shares.face.ravel()[around[..., silent]].astype(np.float32)
        left, above = (np.einsum(sums, steps.astype(np.float32), face) for sums in ("j,ijn->n", "i,ijn->n"))
        toward = camera.toward(x[silent] + box.x + 0.5, y[silent] + box.y + 0.5)
        total[silent] = _outward(-left, -above, axes[:2], toward)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.float32(1e-6))
    flat[level] = (up + LEVEL * total) * hits[level][:, None]


def _outward(right: F32, down: F32, axes: F32, toward: F32) -> F32:
    """The normals (n, 3), within a plane, of lines whose normals on the canvas are `right` and `down` (n,).

    The plane has the `axes` (2, 3) and is seen from unit directions `toward` (n, 3), all in view space.
    """
    slant = toward[:, :2] / toward[:, 2:]
    seen = axes[None, :, :2] - axes[None, :, 2:] * slant[:, None]
    across = seen[..., 0] * right[:, None] - seen[..., 1] * down[:, None]
    return np.asarray(across @ axes, np.float32)


def _dot(one: Sequence[F32], other: Sequence[F32] | F32) -> F32:
    return np.asarray(one[0] * other[0] + one[1] * other[1] + one[2] * other[2], np.float32)


def _width(slab: Slab, face: Face) -> float:
    """The width of a face's border, mm, from its cap to the gasket."""
    return max(slab.edge, face.inset) + JOIN - face.inset


def _slopes(slab: Slab, face: Face, count: int, wide: F32, slope: F32, own: F32, inside: F32) -> F32:
    """The sines (count, n) of the slopes of a face's border in each pixel, evenly spaced across the border.

    Across the border, 1 mm is `wide` (n,) px. The mean `slope` (n,) comes from samples; the coverage of the
    border, `own`, and of the cap `inside` it are exact.
    """
    width = np.float32(_width(slab, face))
    cap = width + np.float32(face.inset)
    # Across the border, 0 is the cap and 1 the gasket. If either end lies in the pixel, coverage tells how
    # far the border extends from there.
    part = np.minimum(own / np.maximum(width * wide, np.float32(1e-3)), 1)
    low = np.where(inside > 0, np.float32(0), 1 - part)
    high = np.where(inside + own > WHOLE, part, np.float32(1))
    within = (inside <= 0) & (own > WHOLE)
    if within.any():
        # If neither end does, the sampled slope gives the place, except on the flat beginning of the border.
        bent = np.clip(slope * np.float32(slab.edge) / (width * part), 0, 0.5)
        middle = (cap - slab.edge * (1 - slope)) / width - part * (0.5 - bent)
        middle = np.clip(middle, part / 2, 1 - part / 2)
        low = np.where(within, middle - part / 2, low)
        high = np.where(within, middle + part / 2, high)
    steps = ((np.arange(count, dtype=np.float32) + np.float32(0.5)) / np.float32(count))[:, None]
    insets = cap - width * (low + (high - low) * steps)
    return np.asarray(np.maximum(1 - insets / np.float32(slab.edge), 0), np.float32)
