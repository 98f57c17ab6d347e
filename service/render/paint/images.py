"""Mirror images, in a smooth face, of raised parts on the face and of the other half of a fold.

The mirror image of a part is its mesh, reflected to the other side of the face. It has the light that would
be seen on the part by an eye that is reflected in the same way. The mirror image of a half is its reflected
outline, filled with the light that its face mirrors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import F32, F64
from ..geometry.camera import Camera
from ..geometry.coverage import levels, weighted
from ..geometry.mesh import Mesh
from ..geometry.raster import Box, bounds, projected
from ..geometry.silhouette import convex_hull
from ..kernels.pictures import enlarge
from ..light.shading import Light, fresnel, glass, limited, mirror
from ..material import Material

FEWEST = 1e-3  # share of a pixel beside a part below which its image is not seen; by construction
STEP = 6  # px between the points at which the light of a half's face is evaluated; by cost


@dataclass(frozen=True, slots=True, eq=False)
class PartImage:
    """A part's reflected wall, its vertices' linear radiance (n, 3), and the number of samples along each
    axis of a px.

    The convex `hull` of points (n, 3) is that of the part itself, which hides what is behind it.
    """

    wall: Mesh
    hull: F64
    radiance: F32
    samples: int

    def show(self, mirrored: F32, share: F32, camera: Camera, box: Box) -> None:
        """Lay the image over the light (h, w, 3) that a face mirrors in a box, in place.

        `share` (h, w) is the share of light that the face mirrors.
        """
        part = bounds(camera.project(self.wall.points), camera.width, camera.height).clipped(box)
        if not part.area:
            return
        rgb, hit = projected(self.wall, self.radiance, camera).paint(part, self.samples).samples
        # At the foot of the part, the part hides some of a pixel, and the image covers its share of the rest.
        # Otherwise, the bright face would show between both, as a dashed line.
        outline = convex_hull(camera.project(self.hull).astype(np.float32))
        rest = np.maximum(1 - levels([outline], part) * np.float32(1 / 255), np.maximum(hit, FEWEST))
        where = part.within(box)
        mirrored[where] *= (1 - hit / rest)[..., None]
        mirrored[where] += rgb * (share[where] / rest)[..., None]


@dataclass(frozen=True, slots=True, eq=False)
class HalfImage:
    """The other half of a fold: points (n, 3) whose convex `hull` is its reflection.

    `normals` (2, 3), in view space, are the normals of the mirroring face and of the half's own face; both
    faces are of one smooth `material`. The picture on the half's screen is not mirrored.
    """

    hull: F64
    normals: F32
    material: Material

    def show(self, mirrored: F32, camera: Camera, light: Light, box: Box) -> None:
        """Lay the image over the light (h, w, 3) that the face mirrors in a box, in place."""
        outline = convex_hull(camera.project(self.hull).astype(np.float32))
        part = bounds(outline, camera.width, camera.height).clipped(box)
        if not part.area:
            return
        columns, rows = -(-part.width // STEP) + 1, -(-part.height // STEP) + 1
        toward, (face, own) = camera.grid((part.x, part.y), STEP, columns, rows), self.normals
        cosine, away = mirror(face[None], toward)
        packed, _ = glass(self.material, own, -away, light)
        packed *= fresnel(self.material, cosine)[:, None]
        limited(packed, light.limit)
        size = part.height, part.width
        rgb, share = np.empty((*size, 3), np.float32), np.empty(size, np.float32)
        enlarge(packed.reshape(rows, columns, 4), STEP, rgb, share)
        under = mirrored[part.within(box)]
        rgb -= under
        under += weighted(rgb, levels([outline], part) * np.float32(1 / 255), out=rgb)
