"""A plate: a picture without its screenshot, built once and composed with many screenshots."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from service.arrays import F32, F64, U8, U16
from service.clock import Clock
from service.render.body import Body
from service.render.geometry.camera import Camera
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import outlines
from service.render.light.environment import turned
from service.render.light.frame import Frame, Textures
from service.render.light.shading import Light
from service.render.paint.engraved import Redrawn, engraved
from service.render.paint.screens import ScreenPlane, View, view
from service.render.paint.textures import Files
from service.render.plates import backdrop, outlined, preview, shade
from service.render.plates.composite import Opening, composite
from service.render.quality import PREVIEW
from service.render.tone import linear
from service.settings.scene import PlateSpec
from service.settings.styles import clay
from service.settings.warnings import Warning

SOFT = 0.45  # strength of the light on clay, which should show the form, not the surroundings

_POOL = ThreadPoolExecutor(1, thread_name_prefix="plate")


@dataclass(frozen=True, slots=True, eq=False)
class ScreenLayer:
    """Where a screenshot shines through: picture = base + gain · screenshot, in 16-bit linear light.

    `base` (h, w, 3) and `gain` (h, w) uint16 over `box`; `matrix` and `size` as in `ScreenPlane`.
    """

    box: Box
    base: U16
    gain: U16
    matrix: F64
    size: tuple[float, float]

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.base.nbytes + self.gain.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """`base` (h, w, 3 or 4) uint8 sRGB, straight alpha, and a layer for each screen, None if not seen.

    `warnings` are about its captions.
    """

    base: U8
    screens: tuple[ScreenLayer | None, ...]
    warnings: tuple[Warning, ...] = ()

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.base.nbytes + sum(screen.nbytes for screen in self.screens if screen)


Painted = tuple[U8, tuple[Opening | None, ...]]


def build(
    spec: PlateSpec,
    clock: Clock,
    seen: View | None = None,
    textures: Textures | None = None,
    fonts: str = "",
) -> Plate:
    """Pose, light and paint the device of a plate spec over its background and shadow, and captions over it.

    `seen` is its view, if known already; textures come from the device's files by default. `fonts` is a
    folder of fonts besides the system's. Raises UnusableCaptionError.
    """
    seen = seen or view(spec)
    camera = seen.camera
    textures = textures or Files(spec.device, camera.k)
    if spec.style == "clay":
        spec, textures = replace(spec, device=clay(spec.device)), Redrawn(textures, "engraved", engraved)
    strength = spec.light * (SOFT if spec.style == "clay" else 1.0)
    light, tint = (
        Light(turned(spec.environment, spec.turn), strength, spec.glare == "reduced"),
        linear(spec.tint),
    )
    half = preview.halved(camera)
    if spec.style == "outline":
        base, openings = outlined.build(spec, textures, seen, clock)
    elif spec.fast and spec.style == "real" and preview.possible(spec.device, half):
        base, openings = _preview(spec, textures, camera, half, light, tint, clock)
    else:
        base, openings = _whole(spec, textures, seen, light, tint, clock)
    said: tuple[Warning, ...] = ()
    if spec.captions:
        # Loads the libraries of an optional extra.
        from service.render.plates import captions

        said = captions.lay(base, openings, spec.captions, fonts, clock)
    made = _finished(base, zip(openings, seen.screens, strict=True), solid=spec.background.solid)
    return replace(made, warnings=said) if said else made


def _whole(spec: PlateSpec, textures: Textures, seen: View, light: Light, tint: F32, clock: Clock) -> Painted:
    camera = seen.camera
    # The backdrop does not depend on the body, so both are made at once.
    behind = _POOL.submit(backdrop.paint, partial(_shade, spec, camera), spec, clock)
    try:
        body = Body(Frame.of(spec.device, textures, camera, light, tint))
        windows = [screen.box(spec.width, spec.height) for screen in seen.screens]
        openings = composite(body, behind.result, windows, clock)
    finally:
        wait([behind])
    return behind.result(), openings


def _shade(spec: PlateSpec, camera: Camera) -> shade.Shade:
    return shade.cast(spec, camera, outlines(spec.device, camera))


def _preview(
    spec: PlateSpec, textures: Textures, camera: Camera, half: Camera, light: Light, tint: F32, clock: Clock
) -> Painted:
    # Body, shadow and screens need the outlines: compute them now, before the three run in parallel.
    outlines(spec.device, half)
    cut = _POOL.submit(preview.edges, spec.device, camera, half)
    behind = _POOL.submit(preview.behind, spec, half, clock)
    try:
        shares = partial(preview.shares, cut.result)
        frame = Frame.of(spec.device, textures, half, light, tint, PREVIEW, shares)
        canvas = preview.paint(frame, clock)
        base = behind.result()
    finally:
        pending: list[Future[Any]] = [cut, behind]
        wait(pending)
    return base, preview.composite(canvas, cut.result(), base, solid=spec.background.solid)


def _finished(painted: U8, screens: Iterable[tuple[Opening | None, ScreenPlane]], *, solid: bool) -> Plate:
    """The plate, read-only; opaque pictures have three channels."""
    base = np.asarray(cv2.cvtColor(painted, cv2.COLOR_RGBA2RGB), np.uint8) if solid else painted
    base.flags.writeable = False
    return Plate(base, tuple(_layer(opening, plane) if opening else None for opening, plane in screens))


def _layer(opening: Opening, at: ScreenPlane) -> ScreenLayer:
    opening.base.flags.writeable = opening.gain.flags.writeable = False
    return ScreenLayer(opening.box, opening.base, opening.gain, at.matrix, at.size)
