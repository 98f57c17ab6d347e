"""Layers drawn on flat faces: each is warped, lit and composited over the surface."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from service.arrays import F32, U8
from service.devices.device import Layer, Slab
from service.render.geometry.coverage import weighted
from service.render.geometry.raster import Box, landed
from service.render.light import lobes
from service.render.light.frame import Frame, Textures
from service.render.paint.plane import Fitted, fitted, sampled
from service.render.paint.textures import (
    Pixels,
    Pyramid,
    coded,
    grey,
    layer,
    opacity,
    scaled,
    translucent,
    unpacked,
)
from service.render.passes.glare import shown
from service.render.passes.target import Surface, Target

OPAQUE = 0.97  # mean opacity above which a layer counts as opaque; by construction


def applies(frame: Frame, slab: Slab) -> bool:
    """Every face has a colour."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Give faces their colour and lay their layers over it."""
    for surface in target.surfaces:
        target.clock.check()
        material = surface.material
        if material.lit and not surface.coated:
            surface.rgb = surface.mirrored
            _layers(frame, surface)
            continue
        own = surface.color * np.float32(material.albedo)
        size = (surface.box.height, surface.box.width, 3)
        surface.rgb = np.full(size, own * surface.white if material.lit else own, np.float32)
        _layers(frame, surface)
        if not material.lit:
            continue
        # This body lies below mirrored light, which is added by a later pass.
        if surface.screens and own.any():
            # A screen has no colour of its own, whatever surrounds it.
            weighted(surface.rgb, 1 - shown(frame, surface), out=surface.rgb)
        weighted(surface.rgb, 1 - surface.lost, out=surface.rgb)


def _layers(frame: Frame, surface: Surface) -> None:
    """Lay a face's layers over its light, in place.

    Layers are lit by the light on matt paint, less the share that occluders of the face take. Their drawn
    ambient occlusion darkens the layers alone, not bare metal between them.
    """
    face, camera, box, rgb, shade = surface.face, frame.camera, surface.box, surface.rgb, None
    if face.occlusion is not None:
        shown = _fitted(frame, surface, grey, face.occlusion, 1, cv2.BORDER_REPLICATE).seen(box)
        shade = np.asarray(shown, np.uint8)
    for drawn in face.layers:
        homography = surface.at.homography(camera, drawn.depth)
        across, up = (
            (at - side / 2, at + side / 2) for at, side in zip(drawn.center, drawn.size, strict=True)
        )
        part = landed(homography, across, up, camera.width, camera.height).clipped(box)
        if not part.area:
            continue
        read = layer if surface.material.lit else coded
        samples = frame.picture_samples
        top = _fitted(frame, surface, read, drawn, samples).seen(part, samples)
        where = part.within(box)
        full = np.float32(np.iinfo(top.dtype).max)
        amount = cv2.extractChannel(top, 3).astype(np.float32) * (1 / full)
        under = _laid(frame, surface, drawn, top, amount, part)
        if shade is not None and shade[where].min() < 255:
            under = _shaded(
                rgb[where], under, amount / np.float32(opacity(frame.textures, drawn.image)), shade[where]
            )
        rgb[where] = under


def _fitted(
    frame: Frame, surface: Surface, read: Callable[[Textures, str], Pyramid], drawn: Layer, samples: int,
    border: int = cv2.BORDER_CONSTANT,
) -> Fitted:  # fmt: skip
    """A layer ready for any part of the canvas, prepared once for all parts that show it.

    A finer canvas with fewer `samples` a px takes the same.
    """
    key = read, drawn, surface.at, frame.fine * samples

    def made() -> Fitted:
        homography = sampled(surface.at.homography(frame.camera, drawn.depth), samples)
        pyramid = read(frame.textures, drawn.image)
        return fitted(pyramid, homography, drawn.center, drawn.size, border)

    picture: Fitted = frame.memo.get(key, made)
    return picture


def _laid(frame: Frame, surface: Surface, drawn: Layer, top: Pixels, amount: F32, part: Box) -> F32:
    """A part of a face with a layer over it, which covers the `amount` (h, w) of each pixel.

    Where a layer covers metal in part, the pixel is partly metal and partly matt, both in the mixed colour.
    """
    where = part.within(surface.box)
    under, rest = surface.rgb[where].copy(), np.float32(1) - amount
    if not surface.material.metal or opacity(frame.textures, drawn.image) > OPAQUE:
        color = unpacked(top, surface.white)
        weighted(under, rest, out=under)
    else:
        color, (own, colored) = unpacked(top), _metal(frame, surface)
        apart = _apart(color, amount, _thin(frame, surface, drawn, amount, part), own)
        under *= _wide(rest) - scaled(apart, colored / own)
        color = scaled(color + apart, surface.white)
    if surface.gathered is not None:
        color *= 1 - scaled(_wide(surface.lost[where]), surface.gathered.hue)
    under += color
    return under


def _thin(frame: Frame, surface: Surface, drawn: Layer, amount: F32, part: Box) -> F32:
    """The share (h, w) of each pixel where a translucent layer shows the metal below: alpha · (1 - alpha)."""
    if not frame.quality.exact_pictures:
        # In a preview, a fully covered pixel counts as opaque.
        all_over = np.float32(opacity(frame.textures, drawn.image))
        return np.asarray(amount * (1 - np.maximum(amount, all_over)), np.float32)
    translucency = _fitted(frame, surface, translucent, drawn, 1).seen(part)
    return np.asarray(translucency.astype(np.float32) * np.float32(1 / 255), np.float32)


def _shaded(bare: F32, under: F32, amount: F32, shade: U8) -> F32:
    """Darken a layer by its occlusion `shade` (h, w) of 255; bare metal in the same pixel keeps its light."""
    free = np.maximum(1 - amount, 0)
    left = shade.astype(np.float32) * np.float32(1 / 255)
    beside = weighted(np.ascontiguousarray(bare), free * (1 - left))
    return np.asarray(weighted(under, left) + beside, np.float32)


def _apart(paint: F32, amount: F32, thin: F32, color: F32) -> F32:
    """The difference (h, w, 3) between the metal's `color` (3,) and the paint, where the paint is `thin`.

    In the share `thin` (h, w) of a pixel, paint and metal mix: the matt part takes as much of the metal's
    colour as the metal takes of the paint's. The paint is premultiplied by the `amount` (h, w) it covers.
    """
    share = np.minimum(thin / np.maximum(amount, np.float32(1e-3)), np.float32(1))
    return scaled(_wide(thin), color) - weighted(paint, share)


def _wide(share: F32) -> F32:
    """A share (h, w) for three channels."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB), np.float32)


def _metal(frame: Frame, surface: Surface) -> tuple[F32, F32]:
    """The colour (3,) of a metal face, above 0, and the share of its light that has it."""
    camera, at = frame.camera, surface.at
    normal = camera.view(at.normal[None]).astype(np.float32)[0]
    toward = camera.view(camera.eye[None] - at.origin)
    toward /= np.linalg.norm(toward)
    cosine = np.maximum(toward @ normal, 1e-3).astype(np.float32)
    share = lobes.colored(surface.material, surface.color, cosine)[0]
    return np.maximum(surface.color, np.float32(1e-3)), share
