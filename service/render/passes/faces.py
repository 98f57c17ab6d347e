"""The light that flat faces mirror, or their final gather where occluders are near."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...arrays import F32, U8
from ...devices.device import Slab
from ..geometry.camera import Camera
from ..geometry.face import Plane, plane
from ..geometry.raster import Box, bounds
from ..kernels.pictures import enlarge
from ..light import lobes
from ..light.frame import Frame
from ..light.interreflection import fields
from ..light.near_field import received
from ..light.occluder import Occluder, wall_occluders
from ..light.shading import Points, glass, limited, mirror, specular_share
from ..paint.over import gathers, over
from ..paint.planar_reflection import planar_reflection
from ..paint.screens import share
from .target import NONE, Surface, Target

# Px between the points at which a rough face's light is evaluated, since its lobe changes slowly; by cost.
ROUGH_STEP = 48
SMOOTH_STEP = 3  # px between points on a smooth face, which mirrors the environment sharply; by cost
# Number of points on a small smooth face, such as a lens cover; they are closer together, down to every px;
# by cost.
FEW = 1 << 11


def applies(frame: Frame, slab: Slab) -> bool:
    """Whether a slab has flat faces, or faces with flat halves."""
    return slab.bend is None or slab.halves != (0,)


def paint(frame: Frame, slab: Slab, target: Target) -> None:
    """Add the visible faces to the target, with the light that they mirror."""
    shape, side, camera = target.shape, target.side, frame.camera
    for front in (True, False):
        at = plane(slab, front, side)
        if not front and (slab.back is None or slab.base is not None):
            continue
        if not at.seen(camera) or not shape.caps:
            continue
        corners = camera.project(shape.cap(front, side))
        box = bounds(corners, camera.width, camera.height).clipped(target.box)
        if box.area:
            surface = _opened(frame, slab, front, side, box, corners.astype(np.float32))
            if surface.material.lit:
                target.clock.check()
                _light(frame, slab, surface, side, target.cover[box.within(target.box)])
            target.surfaces.append(surface)


def _opened(frame: Frame, slab: Slab, front: bool, side: int, box: Box, outline: F32) -> Surface:
    """A face's surface before any pass paints it: its geometry, and the light on white matt paint."""
    face, at = (slab.front if front else slab.back) or slab.front, plane(slab, front, side)
    material, color = frame.face(slab, front)
    paper = white(frame, slab, front, at) if material.lit else np.ones(3, np.float32)
    screens = _screens(frame, slab, at, box, side) if front else {}
    return Surface(face, front, at, box, outline, material, color, paper, screens, NONE, NONE[..., 0], NONE)


def white(frame: Frame, slab: Slab, front: bool, at: Plane) -> F32:
    """The light (3,) on white matt paint in the middle of a face.

    A watch's straps take light from smooth glass on its case. Other faces near occluders have a final gather.
    """
    origin, normal = (frame.camera.view(one[None]).astype(np.float32) for one in (at.origin, at.normal))
    straps: Sequence[Occluder] = ()
    if slab.role == "part" and not gathers(frame.device, slab, front) and fields(frame):
        straps = wall_occluders(frame, slab, fields(frame))
    light = received(origin, normal, frame.light, straps) if straps else frame.light.diffuse(normal)
    return np.asarray(light[0], np.float32)


def _screens(frame: Frame, slab: Slab, at: Plane, box: Box, side: int) -> dict[int, F32]:
    """The screens' shares (h, w) of each pixel of a slab's front, by their index in the device.

    Without exact edges, the whole face lets light through (see `preview.Edges`).
    """
    screens = frame.device.screens_on(slab, side)
    if not frame.quality.exact_edges:
        return {place: np.ones((box.height, box.width), np.float32) for place, screen in screens}
    return {place: share(screen, at, frame.camera, box, joined=True) for place, screen in screens}


def _light(frame: Frame, slab: Slab, surface: Surface, side: int, cover: U8) -> None:
    """Set the light that a face mirrors, in place; the slab's `cover` (h, w) is 0 where the slab is not
    seen."""
    at, box = surface.at, surface.box
    surface.gathered = over(frame, slab, surface.front, side)
    if surface.gathered is not None:
        surface.mirrored, surface.lost = surface.gathered.seen(at, frame, box, cover)
        if surface.face.layers and not surface.material.metal:
            below = _taken(frame, surface)
            surface.varnish = _varnish(surface, surface.gathered.hue, below), below
        return
    reflected = planar_reflection(frame, slab, side) if surface.front else None
    parts = reflected.sharp(at, frame.camera, box) if reflected is not None else []
    # If most of the box is sharp, evaluate all of it at every px.
    sharp = 2 * sum(part.area for part in parts) > box.area
    step = frame.fine * (1 if sharp else SMOOTH_STEP)
    surface.mirrored, surface.lost = _mirrored(frame, slab, surface, side, step)
    for part in () if sharp else parts:
        where, fine = part.within(box), replace(surface, box=part)
        surface.mirrored[where], surface.lost[where] = _mirrored(frame, slab, fine, side, frame.fine)


def _varnish(surface: Surface, hue: F32, below: F32) -> F32:
    """The gathered light (h, w, 3) that a face's gloss mirrors: all of it except the light of the matt paint.

    The paint receives the light that occluders and gloss leave: occluders take a share of the `hue` (3,), and
    the gloss takes the share `below` (h, w) of the rest. Light that occluders send to the paint counts as
    gloss.
    """
    own = surface.color * np.float32(surface.material.albedo) * surface.white
    paint = own * (1 - surface.lost[..., None] * hue) * (1 - below[..., None])
    return np.asarray(np.maximum(surface.mirrored - paint, np.float32(0)), np.float32)


def _mirrored(frame: Frame, slab: Slab, surface: Surface, side: int, finest: int) -> tuple[F32, F32]:
    """The mirrored radiance (h, w, 3), and the share (h, w) of light that does not reach the layers below the
    surface.

    For a dielectric, the share follows Fresnel's law. The light's glare is limited on glass over a screen,
    and on the bezel, too, because both are one pane. Radiance and share are evaluated every few px, on smooth
    faces at most `finest` px apart, and interpolated.
    """
    box, at, material, light = surface.box, surface.at, surface.material, frame.light
    smooth = min(math.ceil(math.sqrt(max(box.area, 1) / FEW)), finest)
    step = ROUGH_STEP if material.roughness else smooth
    toward, columns = _toward(frame.camera, box, step)
    normal = frame.camera.view(at.normal[None]).astype(np.float32)
    if material.roughness:
        normals = np.broadcast_to(normal, toward.shape)
        along = np.broadcast_to(frame.camera.view(at.x[None]).astype(np.float32), toward.shape)
        points = Points(normals, along, toward)
        packed = np.zeros((len(toward), 4), np.float32)
        packed[:, :3] = lobes.seen((material, surface.color), points, light, rays=frame.quality.face_rays)
        if not material.metal:
            packed[:, 3] = specular_share(material, mirror(normals, toward)[0], light)
    else:
        packed, mirrored = glass(material, normal[0], toward, light)
        reflected = planar_reflection(frame, slab, side) if surface.front else None
        if reflected is not None:
            places = _places(at, frame.camera, toward)
            met, part, radiance = reflected.seen(places, mirrored, columns)
            under = packed[met]
            packed[met, :3] += (radiance * under[:, 3:] - under[:, :3]) * part[:, None]
    if surface.screens and not material.metal:
        limited(packed, light.limit)
    return _enlarged(packed, columns, step, box)


def _taken(frame: Frame, surface: Surface) -> F32:
    """The share (h, w) of light that a rough dielectric face mirrors; see `_mirrored`."""
    toward, columns = _toward(frame.camera, surface.box, ROUGH_STEP)
    normal = frame.camera.view(surface.at.normal[None]).astype(np.float32)
    packed = np.zeros((len(toward), 4), np.float32)
    packed[:, 3] = specular_share(surface.material, mirror(normal, toward)[0], frame.light)
    return _enlarged(packed, columns, ROUGH_STEP, surface.box)[1]


def _toward(camera: Camera, box: Box, step: int) -> tuple[F32, int]:
    """The directions (n, 3) to the camera from every `step`-th px of a box and just beyond it, and their
    number of columns."""
    columns, rows = -(-box.width // step) + 1, -(-box.height // step) + 1
    return camera.grid((box.x, box.y), step, columns, rows), columns


def _enlarged(packed: F32, columns: int, step: int, box: Box) -> tuple[F32, F32]:
    """Three channels (h, w, 3) and a fourth (h, w) for a box's px, interpolated between the px of
    `_toward`."""
    full = np.empty((box.height, box.width, 3), np.float32), np.empty((box.height, box.width), np.float32)
    enlarge(packed.reshape(-1, columns, 4), step, *full)
    return full


def _places(at: Plane, camera: Camera, toward: F32) -> F32:
    """The points (n, 3) of a face, view space, that the camera sees in directions -`toward` (n, 3)."""
    origin, normal = camera.view(np.stack([at.origin, at.normal])).astype(np.float32)
    eye = camera.seat.astype(np.float32)
    # Let a ray that misses the plane meet it very far away, where nothing is painted.
    ahead = (eye - origin) @ normal / np.maximum(toward @ normal, np.float32(1e-4))
    return np.asarray(eye - toward * ahead[:, None], np.float32)
