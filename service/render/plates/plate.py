"""A plate: a picture without its screenshot, built once and composed with many screenshots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np

from ...arrays import F32, F64, U8, U16
from ...clock import Clock
from ...devices.device import Device
from ...settings.scene import PlateSpec
from ...settings.styles import Style, clay
from ...srgb import LINEAR16
from ..assembly import Assembly
from ..body import Body
from ..geometry.camera import Camera, Stage
from ..geometry.coverage import fill
from ..geometry.raster import Box, extent
from ..light import neighbours
from ..light.floor import Floor
from ..light.frame import Frame, Textures
from ..light.shading import Light
from ..light.spill import facing, surroundings
from ..paint import culling
from ..paint.engraved import Redrawn, engraved
from ..paint.screens import ScreenPlane, View, locate, planes, view
from ..paint.textures import TextureFiles
from ..quality import FULL, MOVING, PREVIEW, Quality
from ..tone import linear
from . import backdrop, cast, mirror, outlined, plane, preview, shade
from .composite import FAINT, Opening, Painter, composite
from .depth import DepthMap, depth_map
from .haze import Haze
from .spill import spill

SOFT = 0.45  # strength of the light on clay, which should show the device's form, not its surroundings

_POOL = ThreadPoolExecutor(1, thread_name_prefix="plate")


@dataclass(frozen=True, slots=True, eq=False)
class ScreenLayer:
    """The area that shows a screenshot: picture = base + gain · screenshot, in 16-bit linear light.

    `base` (h, w, 3) and `gain` (h, w), uint16, cover `box`; `matrix` and `size` are as in `ScreenPlane`. A
    screen mirrored in a rough floor is blurred by its `haze`.
    """

    box: Box
    base: U16
    gain: U16
    matrix: F64
    size: tuple[float, float]
    haze: Haze | None = None

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.base.nbytes + self.gain.nbytes + (self.haze.nbytes if self.haze else 0)


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """A plate: `base` (h, w, 3 or 4) uint8 sRGB, straight alpha, and a layer for each screen, or None if it
    is not visible.

    `depth` has the distances of the devices if the plate spec asks for them. If a floor mirrors the devices,
    `mirrors` has a layer for the mirror image of each screen.
    """

    base: U8
    screens: tuple[ScreenLayer | None, ...]
    depth: DepthMap | None = None
    mirrors: tuple[ScreenLayer | None, ...] = ()

    @property
    def layers(self) -> tuple[ScreenLayer | None, ...]:
        """All layers from back to front: the screens' mirror images in a floor, then the screens."""
        return self.mirrors + self.screens

    @property
    def nbytes(self) -> int:
        """Memory held."""
        layers = sum(layer.nbytes for layer in self.layers if layer)
        return self.base.nbytes + layers + (self.depth.nbytes if self.depth else 0)


Painted = tuple[U8, tuple[Opening | None, ...]]


def build(
    spec: PlateSpec,
    clock: Clock,
    seen: View | None = None,
    textures: Sequence[Textures] | None = None,
    *,
    grain: bool = True,
) -> Plate:
    """Pose, light and paint the devices of a plate spec over the background and the shadow.

    `seen` is the devices' view, if it is known already; by default, each device's textures come from its
    files. Without `grain`, surfaces are smooth, as in the path-traced references.
    """
    seen = seen or view(spec)
    figures = _figures(spec, seen.stage, textures)
    try:
        return _built(spec, figures, seen, clock, grain=grain)
    finally:
        for frame in (one for figure in figures for one in figure.frames):
            # Cached results may refer to their frame. If they were not dropped here, tens of megabytes would
            # stay allocated until the garbage collector runs.
            frame.memo.clear()


def _built(spec: PlateSpec, figures: Sequence[_Figure], seen: View, clock: Clock, *, grain: bool) -> Plate:
    first, frames, mirrored = figures[0], list[Frame](), _Mirrored()
    quick = spec.fast and all(figure.style == "real" for figure in figures)
    devices, half = [figure.device for figure in figures], preview.halved(seen.stage)
    if first.style == "outline":
        base, openings = outlined.build(spec, first.textures, seen, clock)
    elif quick and preview.possible(devices, half):
        mirrored = _mirrored(spec, figures, seen.stage, clock)
        base, openings = _preview(spec, figures, half, seen.stage, mirrored, clock)
    else:
        quality = MOVING if spec.moving else preview.whole(devices, half) if quick else FULL
        quality = replace(quality, grain=grain and quality.grain)
        frames = [figure.frame(quality) for figure in figures]
        mirrored = _mirrored(spec, figures, seen.stage, clock)
        base, openings = _whole(spec, frames, seen, mirrored, clock)
    made = _finished(base, zip(openings, seen.screens, strict=True), solid=spec.background.solid)
    if mirrored.floor is not None:
        made = replace(made, mirrors=mirrored.layers(spec, seen.stage, made.base))
    if spec.depth:
        # Distances are measured for the picture's own pixels, even if the picture is painted on another
        # canvas.
        frames = frames or [figure.frame() for figure in figures]
        made = replace(made, depth=_depth(spec, frames, seen.stage, clock))
    return made


def depths(spec: PlateSpec, stage: Stage, clock: Clock) -> DepthMap:
    """The distances of a plate spec's devices as a stage sees them, without painting them; see
    `depth_map`."""
    frames = [figure.frame() for figure in _figures(spec, stage, None)]
    try:
        return _depth(spec, frames, stage, clock)
    finally:
        for frame in frames:
            frame.memo.clear()


def _depth(spec: PlateSpec, frames: Sequence[Frame], stage: Stage, clock: Clock) -> DepthMap:
    first = spec.instances[0]
    middle = locate(first, first.device.screens[0]).origin
    return depth_map(frames, stage, middle, clock)


@dataclass(frozen=True, slots=True, eq=False)
class _Figure:
    """A device as it is drawn: its camera, the light on it, its linear tint (3,), its floor and its
    frames."""

    device: Device
    style: Style
    camera: Camera
    textures: Textures
    light: Light
    tint: F32
    floor: Floor | None = None
    frames: list[Frame] = field(default_factory=list)

    def frame(self, quality: Quality = FULL, camera: Camera | None = None) -> Frame:
        """The device's frame, seen by another camera if one is given."""
        seen = camera or self.camera
        frame = Frame.of(self.device, self.textures, seen, self.light, self.tint, quality)
        self.frames.append(replace(frame, floor=self.floor))
        return self.frames[-1]


def _figures(spec: PlateSpec, stage: Stage, textures: Sequence[Textures] | None) -> list[_Figure]:
    around, floor = surroundings(spec.environment, spec.turn, spill(spec)), plane.floor(spec, stage)
    made = []
    for number, (one, camera) in enumerate(zip(spec.instances, stage.cameras, strict=True)):
        device, own = one.device, textures[number] if textures else TextureFiles(one.device, camera.k)
        strength = spec.light
        if one.style == "clay":
            device, own = clay(device), Redrawn(own, "engraved", engraved)
            strength *= SOFT
        light = Light(around, strength, spec.glare)
        below = None if floor is None else replace(floor, origin=floor.origin - stage.shift(number))
        made.append(_Figure(device, one.style, camera, own, light, linear(one.tint), below))
    return made


@dataclass(slots=True, eq=False)
class _Mirrored:
    """The mirror image of the devices in their floor, if any, and its gains once it has been composited."""

    floor: mirror.Glass | None = None
    image: mirror.FloorImage | None = None
    gains: tuple[F32 | None, ...] = ()

    def lay(self, spec: PlateSpec, base: U8) -> U8:
        """Lay the mirror image over the backdrop `base`, in place, and return `base`."""
        if self.image is not None and spec.ground is not None:
            self.gains = mirror.lay(self.image, spec.ground.reflectivity, base, fast=spec.fast)
        return base

    def layers(self, spec: PlateSpec, stage: Stage, base: U8) -> tuple[ScreenLayer | None, ...]:
        """The layer of each screen's mirror image, which lies behind the devices of a finished `base`."""
        if self.floor is None or self.image is None or spec.ground is None:
            return ()
        hidden = fill(list(shade.silhouettes(spec, stage)), self.image.box)
        seen = planes(spec.instances, self.floor.stage)
        return tuple(
            None if gain is None else self._layer(number, gain * (1 - hidden), plane, base, spec)
            for number, (gain, plane) in enumerate(zip(self.gains, seen, strict=True))
        )

    def _layer(
        self, number: int, gain: F32, at: ScreenPlane, base: U8, spec: PlateSpec
    ) -> ScreenLayer | None:
        image, ground = self.image, spec.ground
        assert image is not None
        assert ground is not None
        hole = extent(gain > FAINT)
        if not hole.area:
            return None
        box = Box(image.box.x + hole.x, image.box.y + hole.y, hole.width, hole.height)
        light = np.asarray(cv2.LUT(np.ascontiguousarray(base[box.slices][..., :3]), LINEAR16), np.uint16)
        passed = np.ascontiguousarray(gain[hole.slices]).astype(np.uint16)
        light.flags.writeable = passed.flags.writeable = False
        own, haze = image.gains[number], None
        if ground.roughness > 0 and own is not None:
            haze = Haze.of(*(field[hole.slices] for field in (own[1], image.level, image.fade)))
        return ScreenLayer(box, light, passed, mirror.flipped(at.matrix, spec.width), at.size, haze)


def _mirrored(spec: PlateSpec, figures: Sequence[_Figure], stage: Stage, clock: Clock) -> _Mirrored:
    floor = mirror.glass(spec, stage)
    if floor is None or spec.ground is None:
        return _Mirrored()
    # Round the numbers, so that poses with the same floor share one cached image.
    around = facing(
        spec.environment, spec.turn, spill(spec), tuple(np.round(floor.turn.T, 6).ravel().tolist())
    )
    lit = [
        replace(
            one,
            light=replace(one.light, environment=around),
            floor=one.floor and one.floor.turned(floor.turn),
        )
        for one in figures
    ]

    def painter(seen: Stage) -> tuple[list[Frame], Painter]:
        # Previews clip screens later; mirror images must clip them here.
        quality = replace(PREVIEW, exact_edges=True) if spec.fast else MOVING
        pairs = zip(lit, seen.cameras, strict=True)
        alone = [one.frame(quality, camera) for one, camera in pairs]
        frames = neighbours.placed(alone, seen, cast.strength(spec))
        return alone, Body(frames[0]) if len(frames) == 1 else Assembly(frames, seen)

    canvas = Box(0, 0, spec.width, spec.height)
    made = mirror.image(floor, spec.ground, canvas, painter, preview.halved, clock, fast=spec.fast)
    return _Mirrored(floor, made)


def _whole(spec: PlateSpec, alone: Sequence[Frame], seen: View, mirrored: _Mirrored, clock: Clock) -> Painted:
    frames = neighbours.placed(alone, seen.stage, cast.strength(spec))
    # The backdrop does not depend on the bodies, so both are made in parallel.
    hidden = partial(culling.behind, frames)
    behind = _POOL.submit(backdrop.paint, partial(_shade, spec, seen.stage), spec, clock, hidden)
    try:
        body: Painter = Body(frames[0])
        if len(frames) > 1:
            body = Assembly(frames, seen.stage, cast.shades(spec, seen.stage))
        windows = [screen.box(spec.width, spec.height) for screen in seen.screens]
        if mirrored.image is not None:
            mirrored.lay(spec, behind.result())
        openings = composite(body, behind.result, windows, clock)
    finally:
        wait([behind])
    return behind.result(), openings


def _shade(spec: PlateSpec, stage: Stage) -> shade.Shade:
    return shade.cast(spec, stage, shade.silhouettes(spec, stage))


def _preview(
    spec: PlateSpec,
    figures: Sequence[_Figure],
    half: Stage,
    stage: Stage,
    mirrored: _Mirrored,
    clock: Clock,
) -> Painted:
    # Each edge takes less than a millisecond, so a thread would not pay off. The shadow needs the outlines,
    # too.
    edges = [
        preview.edges(figure.device, figure.camera, camera)
        for figure, camera in zip(figures, half.cameras, strict=True)
    ]
    behind = _POOL.submit(preview.behind, spec, half, clock)
    try:
        pairs = zip(figures, half.cameras, strict=True)
        alone = [figure.frame(PREVIEW, camera) for figure, camera in pairs]
        frames = neighbours.placed(alone, half, cast.strength(spec))
        assembly = None
        if len(frames) == 1:
            body = Body(frames[0])
            canvases = [body.paint(body.box, clock)]
        else:
            assembly = Assembly(frames, half, cast.shades(spec, half))
            canvases = assembly.each(assembly.box, clock)
        base = mirrored.lay(spec, behind.result())
    finally:
        wait([behind])
    return base, preview.composite(canvases, edges, assembly, base)


def _finished(painted: U8, screens: Iterable[tuple[Opening | None, ScreenPlane]], *, solid: bool) -> Plate:
    """The finished plate, read-only; opaque pictures have three channels."""
    base = np.asarray(cv2.cvtColor(painted, cv2.COLOR_RGBA2RGB), np.uint8) if solid else painted
    base.flags.writeable = False
    return Plate(base, tuple(_layer(opening, plane) if opening else None for opening, plane in screens))


def _layer(opening: Opening, at: ScreenPlane) -> ScreenLayer:
    opening.base.flags.writeable = opening.gain.flags.writeable = False
    return ScreenLayer(opening.box, opening.base, opening.gain, at.matrix, at.size)
