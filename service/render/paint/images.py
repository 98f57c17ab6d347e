"""Mirror images of raised parts in the smooth face on which they stand.

The mirror image of a part is the part's mesh, reflected to the other side of the face, and lit as an eye
reflected in the same way sees the part.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...arrays import F32
from ..geometry.camera import Camera
from ..geometry.mesh import Mesh
from ..geometry.raster import Box, bounds, projected


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """A part's reflected wall, its vertices' linear radiance (n, 3), and samples along each axis of a px."""

    wall: Mesh
    radiance: F32
    samples: int

    def show(self, mirrored: F32, share: F32, camera: Camera, box: Box) -> None:
        """Lay it over the light (h, w, 3) that a face mirrors in a box, in place.

        `share` (h, w) is the share of light that the face mirrors.
        """
        part = bounds(camera.project(self.wall.points), camera.width, camera.height).clipped(box)
        if not part.area:
            return
        (rgb, hit), _ = projected(self.wall, self.radiance, camera).paint(part, self.samples)
        where = part.within(box)
        mirrored[where] *= (1 - hit)[..., None]
        mirrored[where] += rgb * share[where][..., None]
