"""Layers drawn on flat faces: each is warped, lit and composited over the surface."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from ...arrays import F32
from ...devices.device import Layer, Slab
from ..geometry.coverage import weighted
from ..geometry.raster import Box, landed
from ..kernels.compositing import cover
from ..light import lobes
from ..light.frame import Frame, Textures
from ..paint.plane import Fitted, fitted, sampled
from ..paint.textures import (
    Pixels,
    Pyramid,
    coded,
    grey,
    layer,
    opacity,
    translucent,
    unpacked,
)
from .target import Surface, Target

# Empty arrays, which stand for absent ones in calls of kernels; by construction.
NONE, NONE_LEFT = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.uint8)
OPAQUE = 0.97  # mean opacity above which a layer counts as opaque; by construction


def applies(frame: Frame, slab: Slab) -> bool:
    """True, since every face has a colour."""
    return True


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Give faces their colour and lay their layers over it."""
    for surface in target.surfaces:
        target.clock.check()
        material = surface.material
        own = surface.color * np.float32(material.albedo)
        if material.lit and not surface.coated:
            surface.rgb = surface.mirrored
        else:
            surface.rgb = _even(surface.box, own * surface.white if material.lit else own)
        _layers(frame, surface, over=False)
        if surface.coated and surface.screens and own.any():
            # A screen has no colour of its own, unlike the face around it.
            weighted(surface.rgb, 1 - surface.shown, out=surface.rgb)
        _layers(frame, surface, over=True)


def _even(box: Box, color: F32) -> F32:
    """A box (h, w, 3) filled with one colour (3,)."""
    light = np.empty((box.height, box.width, 3), np.float32)
    # NumPy takes five times as long for three channels as for rows.
    light.reshape(box.height, -1)[...] = np.tile(color, box.width)
    return light


def _layers(frame: Frame, surface: Surface, *, over: bool) -> None:
    """Lay layers of a face over its light, in place: either those `over` its screens, or all others.

    Layers are lit by the light on matt paint, less the share that occluders of the face take. The drawn
    ambient occlusion darkens only the layers, not the bare metal between them.
    """
    face, box, rgb, shade = surface.face, surface.box, surface.rgb, None
    if not any(drawn.over == over for drawn in face.layers):
        return
    if face.occlusion is not None:
        seen = _fitted(frame, surface, grey, face.occlusion, 1, cv2.BORDER_REPLICATE).seen(box)
        shade = np.asarray(seen, np.uint8)
    boxes = frame.memo.get((_boxes, surface.at, frame.fine), lambda: _boxes(frame, surface))
    bare = None if surface.varnish is None else np.ones((box.height, box.width), np.float32)
    for drawn, whole in zip(face.layers, boxes, strict=True):
        part = whole.clipped(box)
        if drawn.over != over or not part.area:
            continue
        samples = frame.picture_samples
        if not surface.material.lit:
            top = _fitted(frame, surface, coded, drawn, samples).seen(part, samples)
            under = rgb[part.within(box)]
            weighted(under, np.float32(1) - top[..., 3] * np.float32(1 / 255), out=under)
            under += unpacked(top, surface.white)
            continue
        top = _fitted(frame, surface, layer, drawn, samples).seen(part, samples)
        if drawn.over:
            _veil(surface, top, part)
        lost = NONE if surface.gathered is None else surface.lost[part.within(box)]
        left = NONE_LEFT if shade is None else shade[part.within(box)]
        thin, colors = _mixed(frame, surface, drawn, top, part)
        shares = np.ascontiguousarray(lost), thin, np.ascontiguousarray(left)
        cover(rgb, part.x - box.x, part.y - box.y, top, colors, shares, opacity(frame.textures, drawn.image))
        if bare is not None:
            bare[part.within(box)] *= 1 - top[..., 3] * np.float32(1 / 65535)
    if surface.varnish is not None and bare is not None:
        _coat(rgb, *surface.varnish, 1 - bare)


def _coat(rgb: F32, mirrored: F32, lost: F32, share: F32) -> None:
    """Add the gloss on layers, which cover the `share` (h, w) of each pixel, to light (h, w, 3), in place."""
    weighted(rgb, 1 - lost * share, out=rgb)
    rgb += weighted(mirrored, share)


def _boxes(frame: Frame, surface: Surface) -> list[Box]:
    """The box of canvas pixels around each of a face's layers."""
    camera, boxes = frame.camera, []
    for drawn in surface.face.layers:
        homography = surface.at.homography(camera, drawn.depth)
        across, up = (
            (at - side / 2, at + side / 2) for at, side in zip(drawn.center, drawn.size, strict=True)
        )
        boxes.append(landed(homography, across, up, camera.width, camera.height))
    return boxes


def _fitted(
    frame: Frame, surface: Surface, read: Callable[[Textures, str], Pyramid], drawn: Layer, samples: int,
    border: int = cv2.BORDER_CONSTANT,
) -> Fitted:  # fmt: skip
    """A layer fitted to the canvas, prepared once for all parts of the canvas that show it.

    A finer canvas with fewer `samples` per px uses the same fitted layer.
    """
    key = read, drawn, surface.at, frame.fine * samples

    def made() -> Fitted:
        homography = sampled(surface.at.homography(frame.camera, drawn.depth), samples)
        pyramid = read(frame.textures, drawn.image)
        return fitted(pyramid, homography, drawn.center, drawn.size, border)

    picture: Fitted = frame.memo.get(key, made)
    return picture


def _veil(surface: Surface, top: Pixels, part: Box) -> None:
    """Reduce the shares of screens, in place, where a picture `top` covers them in a part of the canvas."""
    left = 1 - top[..., 3] * np.float32(1 / 65535)
    for share in surface.screens.values():
        share[part.within(surface.box)] *= left


def _mixed(frame: Frame, surface: Surface, drawn: Layer, top: Pixels, part: Box) -> tuple[F32, F32]:
    """The shares of pixels in which metal shows through paint, and the colours of both (see
    `compositing.cover`).

    Where a layer covers metal in part, a part of the pixel is metal and the rest is matt, both in the mixed
    colour of metal and paint.
    """
    hue = np.zeros(3) if surface.gathered is None else surface.gathered.hue
    colors = np.array([surface.white, np.zeros(3), np.zeros(3), hue], np.float32)
    if not surface.material.metal or opacity(frame.textures, drawn.image) > OPAQUE:
        return NONE, colors
    own, colored = _metal(frame, surface)
    colors[1], colors[2] = own, colored / own
    return _thin(frame, surface, drawn, top, part), colors


def _thin(frame: Frame, surface: Surface, drawn: Layer, top: Pixels, part: Box) -> F32:
    """The share (h, w) of each pixel where a translucent layer shows the metal below: alpha · (1 - alpha)."""
    if not frame.quality.exact_pictures:
        # In a preview, a fully covered pixel counts as opaque.
        amount = top[..., 3] * np.float32(1 / 65535)
        all_over = np.float32(opacity(frame.textures, drawn.image))
        return np.asarray(amount * (1 - np.maximum(amount, all_over)), np.float32)
    translucency = _fitted(frame, surface, translucent, drawn, 1).seen(part)
    return translucency * np.float32(1 / 255)


def _metal(frame: Frame, surface: Surface) -> tuple[F32, F32]:
    """The colour (3,) of a metal face, above 0, and the share of the face's light that has this colour."""
    camera, at = frame.camera, surface.at
    normal = camera.view(at.normal[None]).astype(np.float32)[0]
    toward = camera.view(camera.eye[None] - at.origin)
    toward /= np.linalg.norm(toward)
    cosine = np.maximum(toward @ normal, 1e-3).astype(np.float32)
    share = lobes.colored(surface.material, surface.color, cosine)[0]
    return np.maximum(surface.color, np.float32(1e-3)), share
