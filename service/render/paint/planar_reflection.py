"""Planar reflection: a screen's glass mirrors the slab in front of it, such as a deck or a monitor's foot."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import cv2
import numpy as np

from ...arrays import F32, I32, U8, U16
from ...concurrency.single_flight import single_flight
from ...devices.device import Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane
from ..geometry.raster import Box, landed
from ..kernels.pictures import meet
from ..light.frame import Frame, Textures, per_frame
from ..light.interreflection import fields
from ..light.occluder import face_occluders, meet_partly
from ..memoize import MIB, memoize
from ..scattered import bilinear
from .final_gather import FinalGather, final_gather
from .plane import lay
from .textures import grey, layer, unpacked

PARTS = 8  # number of boxes along the foot of the glass, which may be slanted on the canvas; by cost
PPM = 1.5  # px per mm of the mirrored face's texture; by cost
MOST = 400_000  # the most px of that texture; by cost
EDGE = 2.0  # grid steps of the glass over which the mirror image's edge is blurred; by eye
# Number of levels of blur along the texture's y, each twice as wide as the previous one, since a px covers
# many rows at a grazing angle; by construction.
LEVELS = 7


@dataclass(frozen=True, slots=True, eq=False)
class PlanarReflection:
    """The lit front of the mirrored slab, in view space: its middle (3,), axes (3, 3) as rows x, y, normal.

    `cover` (LEVELS · h, w, 4) is everything drawn on that front, as in `textures.layer`, at increasing blur;
    `open` (h, w) is the light that its ambient occlusion leaves, 0-255. `lit` returns the final gather of the
    front as seen from the glass; `white` (3,) is the light on its layers. `half` is half the width and height
    of the glass, mm. Up to `foot` mm above its lower edge, below the screens, the glass mirrors the front at
    a grazing angle, so there the reflection is evaluated at every px.
    """

    slab: Slab
    middle: F32
    axes: F32
    cover: U16
    open: U8
    lit: Callable[[], FinalGather]
    white: F32
    foot: float
    half: tuple[float, float]

    def sharp(self, at: Plane, camera: Camera, box: Box) -> list[Box]:
        """The parts of a box of the canvas that show the foot of the glass; `at` is the glass' face."""
        (wide, high), parts, matrix = self.half, [], at.homography(camera)
        for left in np.linspace(-wide, wide, PARTS + 1)[:-1] if self.foot else ():
            across, up = (left, left + 2 * wide / PARTS), (-high, self.foot - high)
            part = landed(matrix, across, up, camera.width, camera.height).clipped(box)
            parts += [part] if part.area else []
        return parts

    def seen(self, points: F32, mirrored: F32, columns: int) -> tuple[I32, F32, F32]:
        """The mirror image at points of the glass whose mirrored rays (n, 3) meet the slab.

        Returns the indices (m,) of those points, the shares (m,) of the image and its radiance (m, 3). The
        points form a grid of `columns`; at the image's edge, shares fall from 1 to 0 over EDGE grid steps.
        """
        width, height, _ = self.slab.size
        rectangle = np.array([*self.middle, *self.axes.ravel(), width / 2, height / 2, EDGE], np.float32)
        spans, found = np.empty((3, len(points)), np.float32), np.empty((len(points), 4), np.float32)
        at = np.empty(len(points), np.int32)
        count = meet(points, mirrored, rectangle, columns, spans, at, found)
        if not count:
            return at[:0], found[:0, 2], np.zeros((0, 3), np.float32)
        across, up, share, spread = found[:count].T
        level = np.clip(np.rint(np.log2(np.maximum(spread * _density(self.slab) / 2, 1))), 0, LEVELS - 1)
        return at[:count], share, self._radiance(across, up, level)

    def _radiance(self, across: F32, up: F32, level: F32) -> F32:
        lit = self.lit()
        gathered = lit.at(across, up)
        under, left_matt = gathered[:, :3], 1 - gathered[:, 3:] * lit.hue
        high, wide = self.open.shape
        columns = (across / np.float32(self.slab.size[0]) + np.float32(0.5)) * wide - np.float32(0.5)
        rows = (np.float32(0.5) - up / np.float32(self.slab.size[1])) * high - np.float32(0.5)
        rows = np.clip(rows, 0, high - 1)
        columns, rows, softer = (way.astype(np.float32) for way in (columns, rows, rows + level * high))
        drawn, left = bilinear(self.cover, columns, softer)[:, None], bilinear(self.open, columns, rows)
        top = unpacked(drawn, self.white)[:, 0] * left_matt
        rest = 1 - drawn[:, 0, 3:].astype(np.float32) / 65535
        return np.asarray((top + under * rest) * (left[:, None] / np.float32(255)), np.float32)


@per_frame
def planar_reflection(frame: Frame, slab: Slab, side: int = 0) -> PlanarReflection | None:
    """The reflection, in a slab's screens, of the largest slab that is at least partly in front of them.

    If the slab is folded, the screens are those on one `side` of the fold. It is None if there are no
    screens, or no slab in front of them.
    """
    device, camera, at = frame.device, frame.camera, plane(slab, True, side)
    screens = [screen for _, screen in device.screens_on(slab)]
    if not screens:
        return None
    candidates = [
        other
        for other in device.slabs
        if other.role not in ("part", "stand", "strap")
        and other is not slab
        and meet_partly(plane(other, True), other, at, slab)
    ]
    if not candidates:
        return None
    other = max(candidates, key=lambda one: one.size[0] * one.size[1])
    there = plane(other, True)
    axes = camera.view(there.axes).astype(np.float32)
    middle = camera.view(there.origin[None])[0].astype(np.float32)
    over = face_occluders(frame, other, there, fields(frame))
    if not over:
        return None
    eye = camera.seat - camera.view(at.origin[None])[0]
    out = camera.view(at.normal[None])[0]
    # The reflection is the view of an eye behind the glass: the camera mirrored in the glass' plane.
    eye = camera.view(at.origin[None])[0] + eye - 2 * (eye @ out) * out

    def gather() -> FinalGather:
        return final_gather(frame, other, True, there, over, eye.astype(np.float32))

    foot = slab.size[1] / 2 + min(screen.center[1] - screen.size[1] / 2 for screen in screens)
    white = frame.light.diffuse(axes[2:])[0]
    half = slab.size[0] / 2, slab.size[1] / 2
    if not frame.quality.reflections:
        foot = 0.0
    return PlanarReflection(
        other, middle, axes, *_drawn(other, frame.textures), single_flight(gather), white, foot, half
    )


def _identity(slab: Slab, textures: Textures) -> Hashable:
    occlusion = slab.front.occlusion
    drawn = (*slab.front.layers, *((occlusion,) if occlusion else ()))
    return slab, *(textures.identity(one.image) for one in drawn)


def _density(slab: Slab) -> float:
    """Px per mm of the texture of a slab's face; fewer if the face is larger than any laptop's."""
    return min(PPM, math.sqrt(MOST / (slab.size[0] * slab.size[1])))


@memoize(32 * MIB, key=_identity)  # room for three laptops
def _drawn(slab: Slab, textures: Textures) -> tuple[U16, U8]:
    """`cover` and `open` of `PlanarReflection`, seen straight on; read-only."""
    face, (width, height, _) = slab.front, slab.size
    ppm = _density(slab)
    box = Box(0, 0, round(width * ppm), round(height * ppm))
    flat = np.array([[ppm, 0, width / 2 * ppm], [0, -ppm, height / 2 * ppm], [0, 0, 1.0]])
    cover = np.zeros((box.height, box.width, 4), np.uint16)
    for drawn in face.layers:
        top = lay(layer(textures, drawn.image), flat, drawn.center, drawn.size, box, cv2.BORDER_CONSTANT)
        rest = cv2.merge([65535 - top[..., 3]] * 4)
        cover = np.asarray(cv2.add(cv2.multiply(cover, rest, scale=1 / 65535), top), np.uint16)
    # Fill the array level by level: stacking finished levels would double the memory.
    covers = np.empty((LEVELS * box.height, box.width, 4), np.uint16)
    for level in range(LEVELS):
        covers[level * box.height : (level + 1) * box.height] = _softened(cover, level)
    left = np.full((box.height, box.width), 255, np.uint8)
    if face.occlusion is not None:
        image = grey(textures, face.occlusion.image)
        left = np.asarray(lay(image, flat, face.occlusion.center, face.occlusion.size, box), np.uint8)
    covers.flags.writeable = left.flags.writeable = False
    return covers, left


def _softened(picture: U16, level: int) -> U16:
    """A picture (h, w, 4) blurred by 2^level px along y; wide blurs are computed at a reduced height."""
    height, width = picture.shape[:2]
    part = 2 ** max(level - 2, 0)
    small = cv2.resize(picture, (width, max(height // part, 1)), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 2.0, sigmaY=2.0**level / part)
    return np.asarray(cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR), np.uint16)


@memoize(MIB, key=_identity)
def shown(slab: Slab, textures: Textures) -> F32:
    """The mean shares (h,) of light that layers leave each row of a slab's front, from its top; read-only."""
    cover = _drawn(slab, textures)[0]
    mean = cover[: len(cover) // LEVELS].mean(axis=1, dtype=np.float32) / np.float32(65535)
    shares = np.asarray(1 - mean[:, 3] + mean[:, :3].mean(axis=1), np.float32)
    shares.flags.writeable = False
    return shares
