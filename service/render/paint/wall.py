"""The rounded wall of a slab, lit at its vertices."""

from __future__ import annotations

import numpy as np

from service.arrays import F32, F64
from service.models.devices import Slab
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import BACK, FRONT, PITCH, WALL, Mesh
from service.render.light.shading import Ground, Light, shade
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.tone import shoulder

GASKET_RADIANCE = 0.006
STREAKS = 0.06  # of the light, on brushed metal seen close up
AWAY = -0.35  # cosine to the camera down to which vertices are lit


def lit(slab: Slab, mesh: Mesh, camera: Camera, light: Light, colors: Colors, ground: Ground | None) -> F32:
    """Linear radiance (n, 3) float32 of a wall's vertices, compressed by `shoulder`."""
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
        radiance[at] = shade(material, color, normals[at], toward[at], light, ground, along)
        if along is not None and mesh.streaks is not None:
            scale = camera.k / camera.depth(mesh.points[at])
            shown = _shown(np.cross(normals[at], along), toward[at], scale)
            radiance[at] *= (1 + STREAKS * mesh.streaks[at] * shown)[:, None]
    if slab.base is not None:
        above = np.maximum(mesh.height - slab.base, 0).astype(np.float32)
        reach = np.float32(max(min(0.4 * (slab.size[2] / 2 - slab.base), 0.5), 0.05))
        radiance *= (1 - np.float32(0.55) * np.exp(-above / reach))[:, None]
    return shoulder(radiance)


def _shown(across: F32, toward: F32, scale: F64) -> F32:
    """The visibility of streaks, (n,) in 0-1, by their distance in px; `scale` (n,) is in px per mm."""
    aslant = np.square(np.einsum("ij,ij->i", across, toward))
    between = PITCH * scale * np.sqrt(np.maximum(1 - aslant, 0))
    t = np.clip((between - 0.3) / 0.6, 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)
