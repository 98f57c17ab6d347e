"""A slab's flat face: its layers, warped and lit, and the gain of its screens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, F64
from service.models.devices import Face, Layer
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import weighted
from service.render.geometry.face import Plane
from service.render.geometry.raster import Box, landed
from service.render.light import lobes
from service.render.light.shading import Light, coat, limited, mirror, specular_share
from service.render.material import SURFACES, Material
from service.render.paint.before import Before
from service.render.paint.contact import Shade, darken
from service.render.paint.crevice import Crevice
from service.render.paint.foot import Foot
from service.render.paint.gathered import Gathered
from service.render.paint.images import Image
from service.render.paint.plane import lay
from service.render.paint.textures import Textures, coded, grey, layer, opacity, scaled, translucent, unpacked
from service.render.tone import headroom

ROUGH_STEP = 48  # px between the points at which a rough face's light is evaluated: its lobe changes slowly
SMOOTH_STEP = 3  # the same for smooth faces, which mirror the environment sharply
OPAQUE = 0.97  # mean opacity of layers that are taken for all opaque
FEW = 1 << 11  # points at which it is evaluated on smaller ones, such as lens covers, if not at every px


@dataclass(frozen=True, slots=True, eq=False)
class Cap:
    """A face in a box: linear radiance (h, w, 3) without the screens' own light, and each screen's gain.

    A gain (h, w) in 0-1 is the share of the screenshot's linear light that passes. All float32.
    """

    rgb: F32
    gains: tuple[F32, ...]


def cap(
    face: Face,
    at: Plane,
    screens: Sequence[F32],
    shown: Callable[[], F32],
    textures: Textures,
    camera: Camera,
    light: Light,
    color: F32,
    box: Box,
    on: Sequence[Shade],
    images: Sequence[Image],
    gap: Crevice | None,
    over: Gathered | None,
    foot: Foot | None,
    mirrors: Before | None,
    samples: int,
    *,
    coarse: bool = False,
) -> Cap:
    """Light a face and everything drawn on it, for every pixel of a box.

    `screens` are its screens' shares (h, w) of each pixel, see `screens.share`; `shown` returns their sum,
    and is called only where glare is reduced or the face is not black. `color` (3,) is linear. `on` are the
    shades of the parts on it and `images` their mirror images, `gap` the shade below slabs close over it;
    where one stands over it, `over` is its light; smooth glass mirrors what is before it. Layers have
    `samples` a pixel and axis; on a `coarse` body, all of one is equally opaque.
    """
    material = SURFACES[face.surface]
    normal = camera.view(at.normal[None]).astype(np.float32)
    own = color * np.float32(material.albedo)
    if not material.lit:
        rgb = _even(own, box)
        _layers(rgb, face, at, textures, camera, box, np.ones(3, np.float32), samples)
        # Where a screen shines, an unlit face has no light of its own.
        for screen in screens:
            rgb = weighted(rgb, 1 - screen)
        return Cap(rgb, tuple(screens))
    white = light.diffuse(normal)[0]
    if over is not None:
        surface, share, dim = *over.seen(at, camera, box), None
    else:
        surface, share, dim = _light(material, color, normal, at, camera, light, box, mirrors)
        for part in mirrors.sharp(at, camera, box) if mirrors is not None else ():
            where = part.within(box)
            fine = _light(material, color, normal, at, camera, light, part, mirrors, 1)
            surface[where], share[where] = fine[:2]
            if dim is not None:
                dim[where] = fine[0] if fine[2] is None else fine[2]
    if foot is not None:
        foot.show(surface, share, at, camera, box)
    if dim is not None and screens:
        screen = shown()
        surface = np.asarray(cv2.blendLinear(surface, dim, 1 - screen, screen), np.float32)
    if material.metal or over is not None:
        rgb = surface
        below = _metal(material, color, normal, at, camera) if material.metal else None
        stood = None if over is None else (over, share)
        _layers(rgb, face, at, textures, camera, box, white, samples, stood, below, coarse=coarse)
    else:
        # Below the mirrored light: the albedo of the surface and its layers.
        rgb = _even(own * white, box)
        _layers(rgb, face, at, textures, camera, box, white, samples)
        if screens and own.any():
            # A screen has no colour of its own, whatever surrounds it.
            weighted(rgb, 1 - shown(), out=rgb)
        weighted(rgb, 1 - share, out=rgb)
        if not material.roughness:
            # What hides a part of the sky from matt paint is seen in smooth glass above it.
            darken(rgb, box, on, camera)
            on = ()
        for image in images:
            image.show(surface, share, camera, box)
        rgb += surface
    darken(rgb, box, on, camera)
    if gap is not None:
        part = _landed(gap, at.homography(camera), camera, box)
        if part.area:
            where = part.within(box)
            rgb[where] = weighted(np.ascontiguousarray(rgb[where]), 1 - gap.seen(at, camera, part))
    gains = [screen * (1 - share) for screen in screens]
    if gains and not light.reduced:
        mirrored = rgb.mean(axis=2)
        gains = [headroom(mirrored, gain) for gain in gains]
    return Cap(rgb, tuple(gains))


def _even(color: F32, box: Box) -> F32:
    """A box (h, w, 3) of one colour (3,)."""
    return np.full((box.height, box.width, 3), color, np.float32)


def _layers(
    rgb: F32, face: Face, at: Plane, textures: Textures, camera: Camera, box: Box, white: F32,
    samples: int, over: tuple[Gathered, F32] | None = None, below: tuple[F32, F32] | None = None,
    *, coarse: bool = False,
) -> None:  # fmt: skip
    """Lay a face's layers over its light (h, w, 3), in place.

    They are lit by `white` (3,) irradiance, less the share (h, w) lost to what stands `over` the face. What
    covers metal in part is part metal, part matt, both in the mixed colour; `below` is the metal's own and
    the share of its light that has this colour, (3,) each. Shade is on what is drawn alone.
    """
    lit, shade = SURFACES[face.surface].lit, None
    if face.occlusion is not None:
        image, place = grey(textures, face.occlusion.image), (face.occlusion.center, face.occlusion.size)
        shade = np.asarray(lay(image, at.homography(camera), *place, box), np.uint8)
    for drawn in face.layers:
        homography = at.homography(camera, drawn.depth)
        part = _landed(drawn, homography, camera, box)
        if not part.area:
            continue
        top = lay(
            (layer if lit else coded)(textures, drawn.image), homography, drawn.center, drawn.size, part,
            cv2.BORDER_CONSTANT, samples,
        )  # fmt: skip
        where = part.within(box)
        full = np.float32(np.iinfo(top.dtype).max)
        amount = cv2.extractChannel(top, 3).astype(np.float32) * (1 / full)
        under, rest = rgb[where].copy(), np.float32(1) - amount
        if below is None or opacity(textures, drawn.image) > OPAQUE:
            color = unpacked(top, white)
            weighted(under, rest, out=under)
        else:
            color = unpacked(top)
            if coarse:
                # Where all of a pixel is covered, all of it is opaque.
                thin = amount * (1 - np.maximum(amount, np.float32(opacity(textures, drawn.image))))
            else:
                pyramid = translucent(textures, drawn.image)
                found = lay(pyramid, homography, drawn.center, drawn.size, part, cv2.BORDER_CONSTANT)
                thin = found.astype(np.float32) * np.float32(1 / 255)
            apart = _apart(color, amount, thin, below[0])
            under *= _wide(rest) - scaled(apart, below[1] / below[0])
            color = scaled(color + apart, white)
        if over is not None:
            color *= 1 - scaled(_wide(over[1][where]), over[0].hue)
        under += color
        if shade is not None and shade[where].min() < 255:
            # Bare metal beside what is drawn keeps its light, in the same pixel too.
            bare = np.maximum(1 - amount / np.float32(opacity(textures, drawn.image)), 0)
            left = shade[where].astype(np.float32) * np.float32(1 / 255)
            beside = weighted(np.ascontiguousarray(rgb[where]), bare * (1 - left))
            under = weighted(under, left) + beside
        rgb[where] = under


def _apart(paint: F32, amount: F32, thin: F32, color: F32) -> F32:
    """How far paint (h, w, 3) is from the `color` (3,) below it, times the share (h, w) that is `thin`.

    That much of what paint covers in part is matt in the colour of the metal, and as much of the metal has
    that of the paint. The paint is premultiplied by the `amount` (h, w) it covers.
    """
    share = np.minimum(thin / np.maximum(amount, np.float32(1e-3)), np.float32(1))
    return scaled(_wide(thin), color) - weighted(paint, share)


def _wide(share: F32) -> F32:
    """A share (h, w) for three channels."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(share), cv2.COLOR_GRAY2RGB), np.float32)


def _metal(material: Material, color: F32, normal: F32, at: Plane, camera: Camera) -> tuple[F32, F32]:
    """The colour (3,) of a metal face of `normal` (1, 3), above 0, and the share of its light that has it."""
    toward = camera.view(camera.eye[None] - at.origin)
    toward /= np.linalg.norm(toward)
    cosine = np.maximum(toward @ normal[0], 1e-3).astype(np.float32)
    return np.maximum(color, np.float32(1e-3)), lobes.colored(material, color, cosine)[0]


def _landed(drawn: Layer | Crevice, homography: F64, camera: Camera, box: Box) -> Box:
    """The part of a box that a layer or a shadow lies in."""
    across, up = ((at - side / 2, at + side / 2) for at, side in zip(drawn.center, drawn.size, strict=True))
    return landed(homography, across, up, camera.width, camera.height).clipped(box)


def _light(
    material: Material,
    color: F32,
    normal: F32,
    at: Plane,
    camera: Camera,
    light: Light,
    box: Box,
    mirrors: Before | None,
    finest: int = SMOOTH_STEP,
) -> tuple[F32, F32, F32 | None]:
    """Mirrored radiance (h, w, 3), and the share (h, w) of light that does not reach the layers below it.

    The share is Fresnel's for a dielectric. The last is the radiance that a screen mirrors (h, w, 3), None if
    that is the same. Evaluated every few px, smooth faces every `finest` at most, and interpolated.
    """
    smooth = min(math.ceil(math.sqrt(max(box.area, 1) / FEW)), finest)
    step = ROUGH_STEP if material.roughness else smooth
    columns, rows = -(-box.width // step) + 1, -(-box.height // step) + 1
    x, y = np.meshgrid(np.arange(columns) * step + box.x + 0.5, np.arange(rows) * step + box.y + 0.5)
    toward = camera.toward(x.ravel(), y.ravel())
    normals = np.broadcast_to(normal, toward.shape)
    cosine, mirrored = mirror(normals, toward)
    if material.roughness:
        along = np.broadcast_to(camera.view(at.x[None]).astype(np.float32), toward.shape)
        found = lobes.seen(material, color, normals, along, toward, light, rays=lobes.MANY)
        share = (
            np.zeros(len(toward), np.float32) if material.metal else specular_share(material, cosine, light)
        )
    else:
        found, share = coat(material, mirrored, cosine, light)
        if mirrors is not None:
            met, part, radiance = mirrors.seen(_points(at, camera, toward), mirrored, columns)
            found[met] += (radiance * share[met][:, None] - found[met]) * part[:, None]
    grid = np.concatenate([found, share[:, None]], axis=1).reshape(rows, columns, 4)
    full = _enlarged(grid, step, box)
    dim = None
    if not material.metal and found.max() > light.limit:
        dim = _enlarged(limited(found, light.limit).reshape(rows, columns, 3), step, box)
    return np.asarray(cv2.cvtColor(full, cv2.COLOR_RGBA2RGB)), np.asarray(cv2.extractChannel(full, 3)), dim


def _enlarged(grid: F32, step: int, box: Box) -> F32:
    """What was evaluated every `step` px, at every pixel of a box."""
    matrix = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
    full = cv2.warpAffine(
        grid, matrix, (box.width, box.height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(full, np.float32)


def _points(at: Plane, camera: Camera, toward: F32) -> F32:
    """The points (n, 3) of a face, in view space, that are seen in directions -toward (n, 3)."""
    origin, normal = camera.view(np.stack([at.origin, at.normal]))
    eye = np.array([0, 0, camera.distance])
    # A ray that misses the plane meets it very far away, where nothing is painted.
    ahead = (eye - origin) @ normal / np.maximum(toward @ normal, 1e-4)
    return np.asarray(eye - toward * ahead[:, None], np.float32)
