"""Where a slab's wall, gasket and face meet: each has exactly the share of a pixel that it covers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, U8
from service.devices.device import Face, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import layers, levels
from service.render.geometry.face import plane
from service.render.geometry.mesh import BACK, FRONT, GASKET, JOIN, Mesh
from service.render.geometry.raster import Box, Samples, bounds
from service.render.light.frame import Frame
from service.render.light.shading import fresnel
from service.render.paint.wall import GASKET_RADIANCE

BESIDE = 2.0  # px from an arc up to which its samples count as well; by eye
NEAR = 3  # px from which a pixel without samples borrows colour; by eye
SLOPES = 8  # of a border narrower than a pixel, whose mean it shows; of wider ones half as many; by cost
LEVEL = np.float32(0.01)  # slope of a border up to which its samples do not say where out is; by eye
SILENT = 1e-3  # of the tilts around a pixel, all together; less is rounding; a guard
MISSED = np.float32(0.03)  # share of a pixel that samples have missed of what bends in it; by eye
WHOLE = 0.998  # of a pixel: all of it; a guard
POLISHED = 1 << 13  # pixels of a border that are polished at a time; by cost
BAND = 1 << 16  # pixels whose samples are weighed at a time; by cost


class Rim(NamedTuple):
    """The shares 0-255 of pixels (h, w) uint8 that a slab's parts cover; together they are its outline's.

    `face` is the flat face's, `wall` the wall's, `border` that of the part of the face that bends towards the
    wall, `gasket` that of the gap in between; both are None without a gap.
    """

    face: U8
    wall: U8
    border: U8 | None = None
    gasket: U8 | None = None


def seen(slab: Slab, camera: Camera, side: int = 0) -> bool | None:
    """Whether the front (True) or the back of a straight slab, or of one half of a folded one, is seen.

    None if neither is, or of a slab that is bent without straight halves.
    """
    if side or slab.bend is None:
        for front, there in ((True, True), (False, slab.back is not None and slab.base is None)):
            if there and plane(slab, front, side).seen(camera):
                return front
    return None


def kinds(slab: Slab, shape: Mesh, front: bool, side: int = 0) -> NDArray[np.int8] | None:
    """What of a mesh's vertices (n,) is wall, 0, border, 1, or gasket, 2, of the face that is seen."""
    if not shape.rim(front, side):
        return None
    found = np.zeros(len(shape.points), np.int8)
    found[shape.material == (FRONT if front else BACK)] = 1
    found[(shape.material == GASKET) & (shape.normals @ plane(slab, front, side).normal > 0)] = 2
    return found


def rim(shape: Mesh, front: bool, outer: U8, camera: Camera, box: Box, side: int = 0) -> Rim:
    """The shares of a slab whose front or back is seen, and whose outline covers `outer` (h, w) of 255.

    The outline of what is above a plane is that of its convex hull, as long as the camera is above it too.
    """
    flat, rims = camera.project(shape.cap(front, side)).astype(np.float32), shape.rim(front, side)
    if not rims:
        face = levels([flat], box)
        return Rim(face, _less(outer, face))
    face, own, sealed = layers([flat, *(_hull(camera, points) for points in rims)], box)
    return Rim(face, _less(outer, sealed), _less(own, face), _less(sealed, own))


def _hull(camera: Camera, points: NDArray[np.float64]) -> F32:
    return np.asarray(cv2.convexHull(camera.project(points).astype(np.float32))[:, 0], np.float32)


def _less(whole: U8, part: U8) -> U8:
    """The difference, 0 where the part is more."""
    return np.asarray(cv2.subtract(whole, part), np.uint8)


def straight(
    slab: Slab, shape: Mesh, front: bool, side: int, camera: Camera, box: Box
) -> tuple[Rim, NDArray[np.bool_]]:
    """The shares of one half of a folded slab, and where (h, w) they hold: a little away from its arc."""
    assert slab.bend is not None
    shares = rim(shape, front, levels([_hull(camera, shape.end(side))], box), camera, box, side)
    x, y, near = np.linalg.inv(plane(slab, front, side).homography(camera))
    away = side * y if slab.bend.axis == "x" else side * x if front else -side * x
    # How far a pixel is from the fold, mm, is the quotient of the two.
    away, near = (
        of[0] * (np.arange(box.width) + (box.x + 0.5))
        + (of[1] * (np.arange(box.height) + (box.y + 0.5)) + of[2])[:, None]
        for of in (away, near)
    )
    return shares, np.asarray((near > 0) & (away > (slab.bend.reach + BESIDE / camera.k) * near), bool)


def along_arc(shape: Mesh, camera: Camera) -> Box:
    """The box of canvas pixels around the arc of a folded slab and what of its halves is beside it."""
    arc = camera.project(np.concatenate(shape.slices[1:-1]))
    return bounds(arc, camera.width, camera.height, 2 + math.ceil(BESIDE))


def join(walls: Samples, border: Samples | None, shares: Rim) -> None:
    """Give walls, gasket and border their exact shares instead of those of their samples, all in `walls`."""
    _weigh(walls, shares.wall)
    if border is None or shares.border is None or shares.gasket is None:
        return
    _weigh(border, shares.border)
    light, hits = walls.rgb.reshape(-1, 3), walls.hit.ravel()
    for at in _bands(border.hit > 0):
        light[at] += border.rgb.reshape(-1, 3)[at]
        hits[at] += border.hit.ravel()[at]
    for at in _bands(shares.gasket > 0):
        gap = shares.gasket.ravel()[at] * np.float32(1 / 255)
        light[at] += gap[:, None] * np.float32(GASKET_RADIANCE)
        hits[at] += gap


def polish(
    frame: Frame, slab: Slab, front: bool, border: Samples, shares: Rim, box: Box, side: int = 0
) -> None:
    """Turn the normals in the samples of a smooth face's border, in view space, into light, in place.

    It mirrors sharply what changes along its sides, where vertices are far apart, and bends so far within a
    pixel that each takes the mean of the slopes it shows.
    """
    if shares.border is None:
        return
    camera, light, face = frame.camera, frame.light, (None if front else slab.back) or slab.front
    material, color = frame.face(slab, front)
    of = plane(slab, front, side)
    axes = camera.view(np.stack([of.x, of.y, of.normal])).astype(np.float32)
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
        # One axis at a time, which is several times as fast.
        ways, out = (
            list(np.ascontiguousarray(toward.T)),
            list(np.ascontiguousarray((flat[at] / hits[:, None]).T)),
        )
        rise, facing = _dot(out, up), _dot(ways, up)
        out = [one - rise * part for one, part in zip(out, up, strict=True)]
        slope = np.sqrt(_dot(out, out))
        scale = 1 / np.maximum(slope, np.float32(1e-6))
        out = [one * scale for one in out]
        outward = _dot(out, ways)
        # A side seen at a slant is as wide as it is: its length alone shrinks.
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
        found = np.einsum("kn,knc->nc", share, light.gleam(*mirrored))
        if material.albedo:
            found += body * (len(slopes) - share.sum(axis=0) * np.float32(min(light.strength, 1)))[:, None]
        flat[at] = found * (hits / np.float32(len(slopes)))[:, None]


def _lean(border: Samples, shares: Rim, some: NDArray[np.intp], axes: F32, camera: Camera, box: Box) -> None:
    """Tilt upright normals of a border, which do not say where out is, a little as those around them are.

    They are in `some` (flat) of its pixels, more of which it covers than its samples met: these met its flat
    beginning alone, and missed the rest. Where those around them say nothing either, out is where less of the
    face is. `axes` (3, 3) are its x, y and normal in view space. In place.
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
    """Directions (n, 3) in a plane of `axes` (2, 3) that are seen at right angles to its lines.

    The normals of these point `right` and `down` (n,) on the canvas, and the plane is seen from unit
    directions `toward` (n, 3), view space.
    """
    slant = toward[:, :2] / toward[:, 2:]
    seen = axes[None, :, :2] - axes[None, :, 2:] * slant[:, None]
    across = seen[..., 0] * right[:, None] - seen[..., 1] * down[:, None]
    return np.asarray(across @ axes, np.float32)


def _dot(one: Sequence[F32], other: Sequence[F32] | F32) -> F32:
    return np.asarray(one[0] * other[0] + one[1] * other[1] + one[2] * other[2], np.float32)


def _width(slab: Slab, face: Face) -> float:
    """How far a face's border reaches, mm, from its cap to the gasket."""
    return max(slab.edge, face.inset) + JOIN - face.inset


def _slopes(slab: Slab, face: Face, count: int, wide: F32, slope: F32, own: F32, inside: F32) -> F32:
    """The sines (count, n) of slopes that pixels show of a face's border, evenly spread over it.

    A mm across is `wide` (n,) px; the mean `slope` (n,) is that of samples, the border's `own` share and that
    of the cap `inside` it are exact.
    """
    width = np.float32(_width(slab, face))
    cap = width + np.float32(face.inset)
    # From the cap, 0, to the gasket, 1: where one side of it is in the pixel, its share says how far it goes.
    part = np.minimum(own / np.maximum(width * wide, np.float32(1e-3)), 1)
    low = np.where(inside > 0, np.float32(0), 1 - part)
    high = np.where(inside + own > WHOLE, part, np.float32(1))
    within = (inside <= 0) & (own > WHOLE)
    if within.any():
        # Else samples say where it is, but where it is flat.
        bent = np.clip(slope * np.float32(slab.edge) / (width * part), 0, 0.5)
        middle = (cap - slab.edge * (1 - slope)) / width - part * (0.5 - bent)
        middle = np.clip(middle, part / 2, 1 - part / 2)
        low = np.where(within, middle - part / 2, low)
        high = np.where(within, middle + part / 2, high)
    steps = ((np.arange(count, dtype=np.float32) + np.float32(0.5)) / np.float32(count))[:, None]
    insets = cap - width * (low + (high - low) * steps)
    return np.asarray(np.maximum(1 - insets / np.float32(slab.edge), 0), np.float32)


def _weigh(samples: Samples, share: U8) -> None:
    """Scale samples in place to the `share` (h, w) of 255 that is wanted where there are any.

    Where none hit, colour is borrowed from nearby.
    """
    light, hits, wanted = samples.rgb.reshape(-1, 3), samples.hit.ravel(), share.ravel()
    borrow(samples.rgb, samples.hit, np.flatnonzero((share > 0) & (samples.hit <= 0)))
    for at in _bands(samples.hit > 0):
        own = wanted[at] * np.float32(1 / 255)
        light[at] *= (own / hits[at])[:, None]
        hits[at] = own


def _bands(mask: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
    """Where a mask is true, flat, some at a time."""
    flat = mask.ravel()
    for start in range(0, len(flat), BAND):
        at = np.flatnonzero(flat[start : start + BAND])
        if len(at):
            yield at + start


def borrow(rgb: F32, hit: F32, lost: NDArray[np.intp]) -> None:
    """Give pixels `lost` (flat) the mean colour of the samples around them, in place.

    Colours (h, w, 3) are premultiplied by the share `hit` (h, w); it becomes 1. Pixels farther than NEAR px
    from any stay as they are.
    """
    if not len(lost):
        return
    height, width = hit.shape
    near = cv2.dilate((hit > 0).view(np.uint8), np.ones((2 * NEAR + 1, 2 * NEAR + 1), np.uint8))
    lost, light, hits = lost[near.ravel()[lost] > 0], rgb.reshape(-1, 3), hit.ravel()
    steps = np.arange(-1, 2)
    for _ in range(NEAR):
        if not len(lost):
            return
        y, x = np.divmod(lost, width)
        rows = np.minimum(np.maximum(y + steps[:, None], 0), height - 1) * width
        columns = np.minimum(np.maximum(x + steps[:, None], 0), width - 1)
        beside = (rows[:, None] + columns).reshape(9, -1)
        total, weight = light[beside].sum(axis=0), hits[beside].sum(axis=0)
        found = weight > 0
        light[lost[found]] = total[found] / weight[found][:, None]
        hits[lost[found]] = 1
        lost = lost[~found]
