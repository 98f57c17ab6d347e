"""The rounded wall of a slab, lit at its vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from service.arrays import F32
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import BACK, FRONT, WALL, Mesh, frame
from service.render.geometry.raster import facing
from service.render.light import between, metal
from service.render.light.brdf import lobe
from service.render.light.neighbour import Neighbour
from service.render.light.shading import Ground, Light, fresnel, mirror, shade
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.contact import Shade

GASKET_RADIANCE = 0.006


def lit(
    slab: Slab,
    mesh: Mesh,
    camera: Camera,
    light: Light,
    colors: Colors,
    ground: Ground | None,
    own: Shade | None,
    others: Sequence[Neighbour] = (),
) -> F32:
    """Linear radiance (n, 3) float32 of a wall's vertices.

    A raised part stands on a `ground`, and mirrors it in its `own` shade; other walls mirror the `others`
    close by.
    """
    points = camera.view(mesh.points)
    away = np.array([0, 0, camera.distance]) - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    normals = camera.view(mesh.normals).astype(np.float32)
    open_ = [other for other in others if not other.closed]
    close = [other for other in others if other.closed]
    radiance = np.full(points.shape, GASKET_RADIANCE, np.float32)
    # Some vertices that face away belong to triangles that are drawn.
    drawn = np.zeros(len(points), bool)
    drawn[mesh.triangles[facing(mesh, camera)]] = True
    for kind, face in ((WALL, None), (FRONT, slab.front), (BACK, slab.back)):
        at = np.flatnonzero((mesh.material == kind) & drawn)
        if not len(at):
            continue
        material = SURFACES[face.surface if face else slab.surface]
        color = colors.face(face) if face else colors.wall(slab)
        below = ground
        if ground is not None and own is not None:
            axes = camera.view(frame(slab)[0].T).T
            left = own.below(mesh.height[at], normals[at] @ axes, toward[at] @ axes, not material.metal)
            below = replace(ground, left=left)
        if material.metal:
            found = np.empty((len(at), 3), np.float32)
            along = camera.view(mesh.along[at]).astype(np.float32)
            for straight in (False, True):
                some = np.flatnonzero(mesh.straight[at] == straight)
                ways = normals[at[some]], along[some], toward[at[some]]
                under = below.at(some) if below is not None else None
                near = (points[at[some]].astype(np.float32), open_) if open_ else None
                found[some] = metal.seen(material, color, *ways, light, under, straight, near)
        elif open_ and material.roughness:
            found = between.shade(
                material, color, points[at].astype(np.float32), normals[at], toward[at], light, open_
            )
        else:
            found = shade(material, color, normals[at], toward[at], light, below)
        # Smooth glass mirrors in one direction.
        seen = close if material.metal or material.roughness else others
        if seen:
            cosine, mirrored = mirror(normals[at], toward[at])
            mirrored = mirrored + lobe(cosine, material.level)[0][:, None] * normals[at]
            kept = (
                np.broadcast_to(color, found.shape) if material.metal else fresnel(material, cosine)[:, None]
            )
            for other in seen:
                found = other.beside(found, points[at].astype(np.float32), mirrored, kept, material.level**2)
        radiance[at] = found
    return radiance
