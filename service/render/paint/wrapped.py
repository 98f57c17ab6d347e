"""Pictures on side walls that continue over the rounded edges: antenna bands, the notch of a laptop."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ...arrays import F32, F64
from ...devices.device import Decal, Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane
from ..geometry.mesh import pose
from ..geometry.raster import Box
from ..light.frame import Frame
from .plane import shrink
from .textures import Pixels, Pyramid

BAND = 1 << 14  # pixels processed at a time; by cost
SLOPE = np.float32(1e-4)  # least slope at which a ray approaches a wall that it meets; a guard
AWAY = np.float32(1e5)  # mm; a place far from any picture; by construction
KNOTS = np.linspace(
    -np.pi / 2, np.pi / 2, 5
)  # tilts of a wall between which its light is interpolated; by cost


def wraps(slab: Slab, decal: Decal) -> bool:
    """Whether a picture reaches beyond the upright part of its wall."""
    return abs(decal.across) + decal.size[1] / 2 > slab.size[2] / 2 - slab.edge


def ends(decal: Decal, at: Plane, edge: float) -> F64:
    """The corners of a picture on the wall plane `at`, and the points `edge` mm below them: (8, 3), device
    mm."""
    wide, high = decal.size
    places = [
        (decal.at + x * wide / 2, decal.across + y * high / 2, z)
        for x in (-1, 1) for y in (-1, 1) for z in (0.0, -edge)
    ]  # fmt: skip
    return np.asarray(at.origin + np.array(places) @ np.stack([at.x, at.y, at.normal]), np.float64)


def met(slab: Slab, at: Plane, camera: Camera, box: Box) -> tuple[F32, F32]:
    """The places on a wall that the corners (h + 1, w + 1) of a box's pixels show: mm along and above `at`.

    A ray that misses a rounded edge is moved to the point of the edge nearest to it.
    """
    origin, *axes = camera.view(np.stack([at.origin, at.x, at.y, at.normal]))
    x = (box.x + np.arange(box.width + 1) - camera.center[0]) / camera.k
    y = (camera.center[1] - box.y - np.arange(box.height + 1)) / camera.k
    flat = [x * axis[0] + y[:, None] * axis[1] for axis in axes]
    # Rays start at the depth of the plane's middle.
    depth = 1 - origin[2] / camera.distance
    above = origin[:2] + camera.aside
    u, z, n = (
        (depth * one - above @ axis[:2]).astype(np.float32) for one, axis in zip(flat, axes, strict=True)
    )
    du, dz, dn = (
        (one / camera.distance - axis[2]).astype(np.float32) for one, axis in zip(flat, axes, strict=True)
    )
    seen = dn < -SLOPE
    ahead = n / np.maximum(-dn, SLOPE)
    straight, edge = np.float32(slab.size[2] / 2 - slab.edge), np.float32(slab.edge)
    up = z + ahead * dz
    # A wall that faces away is seen over the edge on the camera's side.
    side = np.where(seen, np.sign(up), -np.sign(dz))
    out, high = n + edge, z - side * straight
    long, half = dn * dn + dz * dz, out * dn + high * dz
    root = np.sqrt(np.maximum(half * half - long * (out * out + high * high - edge * edge), 0))
    way = -(half + root) / np.maximum(long, SLOPE * SLOPE)
    rise, deep = (high + way * dz) * side, out + way * dn
    # Reject rays that reach this wall only through another: those that meet the face past its middle, and
    # those below the edge of a wall that faces away.
    reach = (slab.size[0] if abs(at.x @ pose(slab)[0][:, 1]) > 0.5 else slab.size[1]) / 2
    beyond = (n + np.float32(reach)) * np.abs(dz) < (edge - side * high) * dn
    behind = np.where(deep < 0, beyond, ~seen & (rise < 0))
    rise = np.where(deep < 0, edge, np.clip(rise * (edge / np.maximum(np.hypot(rise, deep), edge)), 0, edge))
    upright = seen & (np.abs(up) <= straight)
    u = np.where(upright, u + ahead * du, np.where(behind, AWAY, u + way * du))
    return u, np.where(upright, up, side * (straight + rise))


def wrap(
    frame: Frame, pyramids: Sequence[Pyramid], slab: Slab, decal: Decal, at: Plane, box: Box
) -> tuple[list[Pixels], F32]:
    """Pictures of one size on the wall plane `at` as seen in a box, and the light on a white matt wall there.

    Each is (h, w) or (h, w, c) of its own dtype, the light (h, w, 3). Where a picture reaches the end of the
    wall, its last row is repeated.
    """
    camera, samples = frame.camera, frame.quality.samples[0]
    pictures = [_fitted(pyramid, decal, at, camera, samples) for pyramid in pyramids]
    views = [np.empty((box.height, box.width, *one.shape[2:]), one.dtype) for one in pictures]
    white = np.empty((box.height, box.width, 3), np.float32)
    normals = np.cos(KNOTS)[:, None] * at.normal + np.sin(KNOTS)[:, None] * at.y
    lit = frame.light.diffuse(camera.view(normals).astype(np.float32))
    finer = np.array([[1, 0, 0.5], [0, 1, 0.5]]) / samples
    step = max(BAND // box.width, 1)
    for top in range(0, box.height, step):
        rows = Box(box.x, box.y + top, box.width, min(step, box.height - top))
        here, size = slice(top, top + rows.height), (rows.width, rows.height)
        u, z = met(slab, at, camera, rows)
        column, row = (
            cv2.warpAffine(
                place, finer, (samples * rows.width, samples * rows.height),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
            )
            for place in _places(u, z, slab, decal, pictures[0])
        )  # fmt: skip
        for picture, whole in zip(pictures, views, strict=True):
            fine = cv2.remap(picture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            whole[here] = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
        out = np.clip((np.abs(z) - slab.size[2] / 2) / slab.edge + 1, 0, 1) * np.sign(z)
        out = (out[1:, 1:] + out[1:, :-1] + out[:-1, 1:] + out[:-1, :-1]) / 4
        for channel in range(3):
            white[here, :, channel] = np.interp(out, np.sin(KNOTS), lit[:, channel])
    return views, white


def _fitted(pyramid: Pyramid, decal: Decal, at: Plane, camera: Camera, samples: int) -> Pixels:
    """A picture shrunk to about one of its px per sample, as seen where the wall faces the viewer most."""
    (wide, high), fine = decal.size, camera.k * samples
    wide *= float(np.hypot(*camera.view(at.x[None])[0, :2]))
    rows, columns = pyramid[0].shape[:2]
    most = float(np.clip(fine * max(wide / columns, high / rows), 1e-6, 1))
    picture = pyramid[min(int(-np.log2(most)), len(pyramid) - 1)]
    rows, columns = picture.shape[:2]
    return shrink(picture, (fine * wide / columns, fine * high / rows))


def _places(u: F32, z: F32, slab: Slab, decal: Decal, picture: Pixels) -> tuple[F32, F32]:
    """The columns and rows (h, w) of a picture that places on a wall show."""
    (wide, high), (rows, columns) = decal.size, picture.shape[:2]
    end = slab.size[2] / 2 - 1e-6
    first = 0 if decal.across + high / 2 > end else -np.inf
    last = rows - 1 if decal.across - high / 2 < -end else np.inf
    column = (u - np.float32(decal.at - wide / 2)) * np.float32(columns / wide) - np.float32(0.5)
    row = (np.float32(decal.across + high / 2) - z) * np.float32(rows / high) - np.float32(0.5)
    return column, np.clip(row, np.float32(first), np.float32(last))
