"""A quick preview of devices: painted at half size and enlarged, with outlines and screens at full size.

All steps work with whole code values, without dither. Details finer than two pixels become soft.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, U8, U16
from ...clock import Clock
from ...devices.device import Device
from ...settings.scene import PlateSpec
from ...srgb import LINEAR16, SRGB8
from ..assembly import Assembly
from ..geometry.camera import Camera, Stage
from ..geometry.coverage import fill
from ..geometry.face import plane
from ..geometry.raster import Box, bounds, extent
from ..geometry.silhouette import outlines
from ..kernels.enlarging import lay, through
from ..material import SURFACES, Material
from ..paint.canvas import Canvas
from ..paint.screens import share
from ..quality import FULL, PREVIEW, Quality
from ..tone import highlights
from . import backdrop, shade, shadow
from .composite import FAINT, Opening

LARGEST = 3_000_000  # px of a canvas of half the size; larger ones get no preview


def halved(stage: Stage) -> Stage:
    """The stage's view on a canvas half the size."""
    return Stage(_halved(stage.camera), tuple(map(_halved, stage.cameras)))


def _halved(camera: Camera) -> Camera:
    x, y = camera.center
    width, height = -(-camera.width // 2), -(-camera.height // 2)
    return replace(camera, k=camera.k / 2, center=(x / 2, y / 2), width=width, height=height)


def possible(devices: Iterable[Device], half: Stage) -> bool:
    """Whether a preview is possible: it is not for flat windows, for screens in a face that is not black, or
    for huge sizes."""
    return _small(half) and all(one.lit and one.albedo <= 0 for one in _materials(devices))


def whole(devices: Iterable[Device], half: Stage) -> Quality:
    """The quality of `fast` pictures that have to be painted at full size, because no preview is possible.

    Devices with a screen in a light face get the quality of previews. Flat windows are not lit, but need as
    many samples as pictures do, so that their text stays legible. Huge pictures are painted as usual.
    """
    lit = all(one.lit for one in _materials(devices))
    return replace(PREVIEW, exact_edges=True) if lit and _small(half) else FULL


def _materials(devices: Iterable[Device]) -> Iterator[Material]:
    """The materials of the faces that contain screens."""
    return (SURFACES[device.slab(one.slab).front.surface] for device in devices for one in device.screens)


def _small(half: Stage) -> bool:
    return half.camera.width * half.camera.height <= LARGEST


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges at full size over `box`: the coverage of the body, and of each screen or None if it is not
    visible.

    Each is (h, w) float32 in 0-1. The canvas that they clip is painted as if a screen filled its whole face.
    """

    box: Box
    alpha: F32
    screens: tuple[F32 | None, ...]


def behind(spec: PlateSpec, half: Stage, clock: Clock) -> U8:
    """The backdrop for canvases of half the size, (height, width, 4) uint8 sRGB, straight alpha.

    It is made at half size: a quarter of the size would be faster, but would compress to a third more bytes.
    """
    if spec.background.flat and spec.shadow is None and spec.ground is None:
        # A flat colour takes less time to paint than to enlarge.
        return backdrop.paint(lambda: shadow.NONE, spec, clock)
    width, height, cast = half.camera.width, half.camera.height, spec.shadow
    if cast is not None:
        cast = replace(cast, sigma=cast.sigma / 2, x=cast.x / 2, y=cast.y / 2)
    # Enlarge to exactly the size of the canvas, so that nothing shifts and gradients end in its corners.
    scale = np.array([2 * width / spec.width, 2 * height / spec.height], np.float32)
    wanted = replace(spec, width=width, height=height, shadow=cast)
    shapes = [shape * scale for shape in shade.silhouettes(spec, half)]
    small = backdrop.paint(lambda: shade.cast(wanted, half, shapes), wanted, clock)
    size = (spec.width, spec.height)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def edges(device: Device, camera: Camera, half: Camera) -> Edges:
    """The edges, as `camera` sees them, that clip the canvas of half the size."""
    shapes = [2 * shape for shape in outlines(device, half)]
    box = bounds(np.concatenate(shapes), camera.width, camera.height)
    if not box.area:
        return Edges(box, np.zeros((0, 0), np.float32), (None,) * len(device.screens))
    faces = [plane(device.slab(screen.slab), True, screen.half) for screen in device.screens]
    screens = tuple(
        share(screen, at, camera, box) if at.seen(camera) else None
        for screen, at in zip(device.screens, faces, strict=True)
    )
    return Edges(box, fill(shapes, box), screens)


def composite(
    canvases: Sequence[Canvas], cuts: Sequence[Edges], assembly: Assembly | None, backdrop: U8
) -> tuple[Opening | None, ...]:
    """Composite canvases of half the size, one for each device, over the backdrop, in place, and return the
    openings of screens.

    An opening is None if the screen is not visible. `assembly` decides which of several devices is in front.
    `backdrop` is (h, w, 4) uint8 sRGB, straight alpha.
    """
    alphas: list[F32] = []
    lights: list[tuple[int, F32, F32] | None] = []
    for number, (canvas, cut) in enumerate(zip(canvases, cuts, strict=True)):
        alpha = cut.alpha if assembly is None else _seen(number, cuts, assembly)
        alphas.append(alpha)
        if not cut.box.area or not canvas.box.area:
            lights += [None] * len(cut.screens)
            continue
        lay(backdrop, cut.box.x, cut.box.y, alpha, (_coded(canvas), *_place(cut.box, canvas)))
        lights += [
            None if screen is None or not light.any() else (number, light, screen)
            for light, screen in zip(canvas.gains, cut.screens, strict=True)
        ]
    seen = [_left(number, cuts, alphas) for number in range(len(cuts))]
    return tuple(
        one and _opening(one[1], canvases[one[0]], cuts[one[0]].box, (one[2], seen[one[0]]), backdrop)
        for one in lights
    )


def _seen(number: int, cuts: Sequence[Edges], assembly: Assembly) -> F32:
    """The coverage (h, w) of a device, except where earlier devices are in front of it."""
    own = cuts[number]
    alpha = own.alpha
    for other, cut in enumerate(cuts[:number]):
        part = own.box.clipped(cut.box)
        share = _before(assembly, (other, number), part) if part.area else None
        if share is not None:
            alpha = alpha.copy() if alpha is own.alpha else alpha
            alpha[part.within(own.box)] *= 1 - cut.alpha[part.within(cut.box)] * share
    return alpha


def _before(assembly: Assembly, pair: tuple[int, int], box: Box) -> F32 | None:
    """The share (h, w) of each pixel of a box in which the first device of a pair is in front of the second;
    None if there is no such pixel."""
    x, y = box.x // 2, box.y // 2
    half = Box(x, y, -(-(box.x + box.width) // 2) - x, -(-(box.y + box.height) // 2) - y)
    share = assembly.before(*pair, half)
    if share is None:
        return None
    twice = Box(*(2 * side for side in half))
    return np.asarray(_enlarged(share, twice, box.within(twice)), np.float32)


def _left(number: int, cuts: Sequence[Edges], alphas: Sequence[F32]) -> F32:
    """The share (h, w) of a device's coverage that later devices leave visible."""
    box, alpha = cuts[number].box, alphas[number]
    for cut, over in zip(cuts[number + 1 :], alphas[number + 1 :], strict=True):
        part = box.clipped(cut.box)
        if part.area:
            alpha = alpha.copy() if alpha is alphas[number] else alpha
            alpha[part.within(box)] *= 1 - over[part.within(cut.box)]
    return alpha


def _place(box: Box, canvas: Canvas) -> tuple[int, int]:
    """The position x and y of a box in a canvas that is enlarged to twice its size."""
    return box.x - 2 * canvas.box.x, box.y - 2 * canvas.box.y


def _opening(light: F32, canvas: Canvas, box: Box, shares: tuple[F32, F32], backdrop: U8) -> Opening | None:
    """The opening, in a box, of a screen whose gain at half size is `light`.

    `shares` (h, w) are two shares of the box's pixels: the share of the screen, and the visible share of the
    screen.
    """
    passed = np.empty((box.height, box.width), np.uint16)
    through(_straight(light, canvas.alpha), *_place(box, canvas), *shares, passed)
    hole = extent(passed > FAINT)
    if not hole.area:
        return None
    at = Box(box.x + hole.x, box.y + hole.y, hole.width, hole.height)
    base = np.asarray(cv2.LUT(cv2.cvtColor(backdrop[at.slices], cv2.COLOR_RGBA2RGB), LINEAR16), np.uint16)
    return Opening(at, base, np.ascontiguousarray(passed[hole.slices]))


def _coded(canvas: Canvas) -> U8:
    """A canvas' opaque colours, (h, w, 4) uint8 sRGB."""
    code = cv2.LUT(_straight(canvas.rgb, canvas.alpha), SRGB8)
    return np.asarray(cv2.cvtColor(code, cv2.COLOR_RGB2RGBA), np.uint8)


def _straight(light: F32, alpha: F32) -> U16:
    """Light (h, w) or (h, w, 3) as straight 16-bit values, extended by one pixel beyond its edges."""
    share = np.maximum(alpha, np.float32(1e-4))
    whole = np.asarray(cv2.divide(light, share if light.ndim == 2 else cv2.merge([share] * 3)), np.float32)
    if light.ndim == 3:
        highlights(whole)
    filled = cv2.addWeighted(whole, 65535, whole, 0, 0, dtype=cv2.CV_16U)
    bare = (alpha <= 0).view(np.uint8)
    return np.asarray(cv2.copyTo(cv2.dilate(filled, np.ones((3, 3), np.uint8)), bare, filled), np.uint16)


def _enlarged(picture: NDArray[Any], size: Box, part: tuple[slice, slice]) -> NDArray[Any]:
    """The picture enlarged to `size`, cut to a part."""
    large = cv2.resize(picture, (size.width, size.height), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large[part])
