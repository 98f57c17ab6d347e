"""The rounded wall of a slab, lit at its vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from service.arrays import F32
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import BACK, FRONT, WALL, Mesh, frame
from service.render.light.brdf import lobe
from service.render.light.neighbour import Neighbour
from service.render.light.shading import Ground, Light, fresnel, mirror, shade
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.contact import Shade

GASKET_RADIANCE = 0.006
AWAY = -0.35  # cosine to the camera down to which vertices are lit


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
    radiance = np.full(points.shape, GASKET_RADIANCE, np.float32)
    # Vertices that face away are not drawn, but some belong to triangles that are.
    seen = np.einsum("ij,ij->i", normals, toward) > AWAY
    for kind, face in ((WALL, None), (FRONT, slab.front), (BACK, slab.back)):
        at = np.flatnonzero((mesh.material == kind) & seen)
        if not len(at):
            continue
        material = SURFACES[face.surface if face else slab.surface]
        color = colors.face(face) if face else colors.wall(slab)
        along = camera.view(mesh.along[at]).astype(np.float32) if material.anisotropy else None
        below = ground
        if ground is not None and own is not None:
            axes = camera.view(frame(slab)[0].T).T
            left = own.below(mesh.height[at], normals[at] @ axes, toward[at] @ axes, not material.metal)
            below = replace(ground, left=left)
        found = shade(material, color, normals[at], toward[at], light, below, along)
        if others:
            cosine, mirrored = mirror(normals[at], toward[at])
            mirrored = mirrored + lobe(cosine, material.level)[0][:, None] * normals[at]
            kept = (
                np.broadcast_to(color, found.shape) if material.metal else fresnel(material, cosine)[:, None]
            )
            for other in others:
                found = other.beside(found, points[at].astype(np.float32), mirrored, kept, material.level**2)
        radiance[at] = found
    return radiance
