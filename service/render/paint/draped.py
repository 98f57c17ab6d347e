"""Pictures on plates that are bent all along: the weave and the holes of a watch strap."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from service.arrays import F32
from service.devices.device import Layer, Slab
from service.render.geometry.coverage import weighted
from service.render.geometry.mesh import Mesh
from service.render.geometry.raster import Box, Samples, extent, rasterise
from service.render.kernels.pictures import add
from service.render.light.frame import Frame
from service.render.paint.textures import Pyramid, layer

STEP = np.array([[-0.5, 0.0, 0.5]], np.float32)  # central difference between pixels; by construction
LEAST = 8  # px; a strap's width in the smallest size of its texture; by eye
BESIDE = (3, 3)  # px of the neighbourhood of a pixel, itself included; by construction
LOWEST = 1e-6  # share of a px below which no sample hit it; a guard
SAMPLES = 2  # samples along each axis of a px: texture coordinates and light change slowly; by cost


def drape(frame: Frame, slab: Slab, shape: Mesh, walls: Samples, box: Box) -> None:
    """Texture a slab with its faces' layers, over light premultiplied by the share hit, in place.

    Texture coordinates are rasterised like colours. A wall takes the texture of the face it leans towards.
    """
    drawn = [
        (face, front) for face, front in ((slab.front, True), (slab.back, False)) if face and face.layers
    ]
    if not drawn:
        return
    (rgb, hit), camera, textures = walls, frame.camera, frame.textures
    x, y, z = shape.flat.T
    sampled, met = rasterise(shape, np.column_stack([x, y, z > 0]).astype(np.float32), camera, box, SAMPLES)[
        0
    ]
    part = extent(np.maximum(met, hit) > 0)
    if not part.area:
        return
    inner = Box(box.x + part.x, box.y + part.y, part.width, part.height)
    lit = frame.light.diffuse(camera.view(shape.normals).astype(np.float32))
    white = rasterise(shape, lit, camera, inner, SAMPLES)[0].rgb
    places, white = _filled(met[part.slices], sampled[part.slices], white)
    across, up, before = (np.ascontiguousarray(places[..., one]) for one in range(3))
    white = weighted(white, hit[part.slices])
    under = np.ascontiguousarray(rgb[part.slices])
    for face, front in drawn:
        share = before if front else 1 - before
        for one in face.layers:
            # From outside, x of the back runs the other way.
            seen = _seen(layer(textures, one.image), one, across if front else -across, up, share)
            weighted(under, 1 - seen[..., 3], out=under)
            under += seen[..., :3] * white
    rgb[part.slices] = under


def _filled(met: F32, *sums: F32) -> Iterator[F32]:
    """Divide each of `sums` (h, w, 3) by the share `met` (h, w) of a px that its samples hit.

    A px that no sample hit, though the outline covers a part of it, takes the mean of its neighbours.
    """
    missed = met < np.float32(LOWEST)
    share = np.maximum(np.where(missed, cv2.blur(met, BESIDE), met), np.float32(LOWEST))[..., None]
    for values in sums:
        yield np.asarray(np.where(missed[..., None], cv2.blur(values, BESIDE), values) / share, np.float32)


def _seen(pyramid: Pyramid, drawn: Layer, x: F32, y: F32, share: F32) -> F32:
    """A texture (h, w, 4) float32, premultiplied 0-1, where px show the places x, y (h, w), mm, of a face.

    The face fills the `share` (h, w) of each px. Each px looks up the mip level whose texels are about as far
    apart as the places of neighbouring px. Where these jump, as where one part of the face hides another, the
    px takes the texture's mean.
    """
    rows, columns = pyramid[0].shape[:2]
    across = (x - np.float32(drawn.center[0])) * np.float32(columns / drawn.size[0])
    down = (np.float32(drawn.center[1]) - y) * np.float32(rows / drawn.size[1])
    apart = np.maximum(_apart(across, down), 1)
    pyramid = _smaller(pyramid)
    level = np.minimum(np.log2(apart), np.float32(len(pyramid)))
    mean = pyramid[-1].mean(axis=(0, 1)).astype(np.float32)
    shown = share * np.float32(1 / 65535)
    for way, half in ((across, columns / 2), (down, rows / 2)):
        shown *= np.clip((np.float32(half) - np.abs(way)) / apart + np.float32(0.5), 0, 1)
    laid = (np.maximum(level - np.float32(len(pyramid) - 1), 0) * shown)[..., None] * mean
    for place, picture in enumerate(pyramid):
        weight = np.maximum(1 - np.abs(level - np.float32(place)), 0) * shown
        if not weight.any():
            continue
        high, wide = picture.shape[:2]
        column = across * np.float32(wide / columns) + np.float32((wide - 1) / 2)
        row = down * np.float32(high / rows) + np.float32((high - 1) / 2)
        add(picture, column, row, weight, laid)
    return np.asarray(laid, np.float32)


def _smaller(pyramid: Pyramid) -> Pyramid:
    """A texture with mip levels down to LEAST px: even small pictures show a strap's ribs."""
    sizes = list(pyramid)
    while min(sizes[-1].shape[:2]) >= 2 * LEAST:
        high, wide = (side // 2 for side in sizes[-1].shape[:2])
        sizes.append(cv2.resize(sizes[-1], (wide, high), interpolation=cv2.INTER_AREA))
    return tuple(sizes)


def _apart(x: F32, y: F32) -> F32:
    """How far apart neighbouring px (h, w) are in x and y, along rows or columns, whichever is more."""
    steps = [
        cv2.magnitude(*(cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE) for one in (x, y)))
        for kernel in (STEP, STEP.T)
    ]
    return np.asarray(cv2.max(*steps), np.float32)
