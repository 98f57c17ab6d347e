"""Mirror images of raised parts in the smooth face on which they stand.

What a flat mirror shows of a part is the part itself, as far behind the face as it is before it, lit as it is
seen from behind the face.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.arrays import F32
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import Mesh
from service.render.geometry.raster import Box, bounds, rasterise


@dataclass(frozen=True, slots=True, eq=False)
class Image:
    """A part's wall behind a face, its vertices' linear radiance (n, 3), and its samples a px and axis."""

    wall: Mesh
    radiance: F32
    samples: int

    def show(self, mirrored: F32, share: F32, camera: Camera, box: Box) -> None:
        """Lay it over what a face in a box has `mirrored` (h, w, 3), of all light the `share` (h, w)."""
        part = bounds(camera.project(self.wall.points), camera.width, camera.height).clipped(box)
        if not part.area:
            return
        (rgb, hit), _ = rasterise(self.wall, self.radiance, camera, part, self.samples)
        where = part.within(box)
        mirrored[where] *= (1 - hit)[..., None]
        mirrored[where] += rgb * share[where][..., None]
