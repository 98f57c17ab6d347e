"""The rounded wall of a slab, lit at its vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Slab
from ..geometry.mesh import BACK, FRONT, WALL, Mesh, pose
from ..geometry.raster import facing
from ..light import joint, lobes, near_field
from ..light.brdf import lobe
from ..light.frame import Frame
from ..light.occluder import Occluder, blend
from ..light.shading import Ground, Points, fresnel, mirror, shade
from ..light.tint import Colors
from ..material import SURFACES, Material
from .contact import ContactShadow

GASKET_RADIANCE = 0.006  # linear radiance of the dark line between wall and face; by eye


def lit(
    frame: Frame,
    slab: Slab,
    mesh: Mesh,
    ground: Ground | None,
    own: ContactShadow | None,
    others: Sequence[Occluder] = (),
    eye: F64 | None = None,
) -> F32:
    """The linear radiance (n, 3) float32 of a wall's vertices, as seen by the camera or another `eye` (3,).

    A raised part mirrors the `ground` on which it stands, darkened by its `own` contact shadow. Other walls
    mirror the occluders `others`.
    """
    camera, light, quality = frame.camera, frame.light, frame.quality
    eye = camera.eye if eye is None else eye
    # A vertex that faces away still needs light if one of its triangles is drawn.
    seen = np.zeros(len(mesh.points), bool)
    seen[mesh.triangles[facing(mesh, eye)]] = True
    drawn = np.flatnonzero(seen)
    points = camera.view(mesh.points[drawn])
    away = camera.view(eye[None]) - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    normals = camera.view(mesh.normals[drawn]).astype(np.float32)
    along = camera.view(mesh.along[drawn]).astype(np.float32)
    if slab.flutes:
        normals = _outward(normals, along, camera.view(pose(slab)[0].T)[2].astype(np.float32), toward)
    radiance = np.full(mesh.points.shape, GASKET_RADIANCE, np.float32)
    for material, color, kinds in _paints(
        slab, frame.colors, apart=not quality.batched and slab.bend is None
    ):
        own_kinds = np.zeros(4, bool)
        own_kinds[kinds] = True
        at = np.flatnonzero(own_kinds[mesh.material[drawn]])
        vertices, places = drawn[at], points[at].astype(np.float32)
        if not len(at):
            continue
        below = None if ground is None else ground.at(vertices)
        if below is not None and own is not None:
            axes = camera.view(pose(slab)[0].T).T
            left = own.below(mesh.height[vertices], normals[at] @ axes, toward[at] @ axes, not material.metal)
            below = replace(below, left=left)
        if material.metal:
            sent = np.empty((len(at), 3), np.float32)
            white, near = None, np.zeros(len(at), bool)
            if others:
                near = lobes.near(places, normals[at], toward[at], others)
                if material.diffuse:
                    white = near_field.received(places, normals[at], light, others)
            straight = mesh.straight[vertices] & (quality.flat_rays > quality.wall_rays)
            for flat, beside in product((False, True), (False, True)):
                some = np.flatnonzero((straight == flat) & (near == beside))
                if not len(some):
                    continue
                points_ = Points(
                    normals[at[some]], along[at[some]], toward[at[some]], places[some] if beside else None
                )
                sent[some] = lobes.seen(
                    (material, color),
                    points_,
                    light,
                    below.at(some) if below is not None else None,
                    quality.flat_rays if flat else quality.wall_rays,
                    others if beside else (),
                    None if white is None else white[some],
                )
        elif others and material.roughness:
            white = near_field.received(places, normals[at], light, others)
            if joint.applies(slab):
                white *= joint.left(frame, slab, mesh)[vertices]
            if below is None:
                rough = Points(normals[at], along[at], toward[at], places)
                sent = near_field.shade((material, color), rough, light, others, quality.wall_rays, white)
            else:
                # The face below takes the place of an occluder, and the others take a share of all light.
                sent = shade(material, color, normals[at], toward[at], light, below)
                sent *= white / np.maximum(light.diffuse(normals[at]), np.float32(1e-6))
        else:
            sent = shade(material, color, normals[at], toward[at], light, below)
        if not material.metal and not material.roughness and others:
            # Smooth glass mirrors one direction, so occluders cannot hide a part of a lobe.
            cosine, mirrored = mirror(normals[at], toward[at])
            mirrored = mirrored + lobe(cosine, material.level)[0][:, None] * normals[at]
            kept = fresnel(material, cosine)[:, None]
            blend(others, sent, places, mirrored, kept, material.level**2)
        radiance[vertices] = sent
    return radiance


def _outward(normals: F32, along: F32, up: F32, toward: F32) -> F32:
    """The normals (n, 3) of a fluted wall's grooves, rotated so that no mirrored ray would run into the wall.

    `along` (n, 3) is the wall's direction, `up` (3,) its front's normal, `toward` (n, 3) point to the camera.
    """
    rise = (normals @ up)[:, None]
    wall = np.cross(along, up) * np.sqrt(np.maximum(1 - rise * rise, 0)) + rise * up
    mirrored = 2 * np.einsum("ij,ij->i", normals, toward)[:, None] * normals - toward
    below = np.minimum(np.einsum("ij,ij->i", mirrored, wall), 0)[:, None]
    half = toward + mirrored - below * wall
    half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), np.float32(1e-6))
    return np.asarray(np.where(below < 0, half, normals), np.float32)


def _paints(slab: Slab, colors: Colors, *, apart: bool) -> list[tuple[Material, F32, list[int]]]:
    """The materials and colours of wall, front and back, each with the kinds of vertices that have it.

    Kinds with the same paint are merged unless they are kept `apart`.
    """
    paints = [(SURFACES[slab.surface], colors.wall(slab), [WALL])]
    for kind, face in ((FRONT, slab.front), (BACK, slab.back)):
        if face is None:
            continue
        material, color = SURFACES[face.surface], colors.face(face)
        same = [kinds for other, paint, kinds in paints if other is material and (paint == color).all()]
        if same and not apart:
            same[0].append(kind)
        else:
            paints.append((material, color, [kind]))
    return paints
