"""Pictures on plates that are bent all along: the weave and the holes of a watch strap."""

from __future__ import annotations

import numpy as np

from ...arrays import F32
from ...devices.device import Slab
from ..geometry.mesh import Mesh
from ..geometry.raster import Samples
from ..kernels import draping as kernel
from ..light import joint
from ..light.frame import Frame
from .textures import layer, narrow


def shown(frame: Frame, slab: Slab, shape: Mesh) -> F32:
    """The texture coordinates (n, 6) of the vertices of a slab's mesh.

    They are the place across and up the face, mm (2); 1 on the front or 0 on the back (1); and the light on a
    white surface (3).
    """
    # All parts into which a strap's mesh is cut have the same vertices.
    made: F32 = frame.memo.get((shown, slab, len(shape.points)), _shown, frame, slab, shape)
    return made


def _shown(frame: Frame, slab: Slab, shape: Mesh) -> F32:
    x, y, z = shape.flat.T
    white = frame.light.diffuse(frame.camera.view(shape.normals).astype(np.float32))
    if joint.applies(slab):
        white = white * joint.left(frame, slab, shape)
    return np.column_stack([x, y, z > 0, white]).astype(np.float32)


def drape(frame: Frame, slab: Slab, walls: Samples, places: F32) -> None:
    """Texture a slab with its faces' layers, in place, over light that is premultiplied by the share hit.

    `places` (h, w, 6) are samples of the texture coordinates of `shown`, which are rasterised like colours. A
    wall takes the texture of the face towards which it leans.
    """
    for face, front in ((slab.front, True), (slab.back, False)):
        for one in face.layers if face else ():
            pyramid = *layer(frame.textures, one.image), *narrow(frame.textures, one.image)
            rows, columns = pyramid[0].shape[:2]
            # Seen from outside, x of the back runs in the opposite direction.
            sign = 1 if front else -1
            placing = (
                sign * one.center[0], one.center[1], sign * columns / one.size[0], rows / one.size[1], front
            )  # fmt: skip
            mean = pyramid[-1].mean(axis=(0, 1)).astype(np.float32)
            kernel.drape(pyramid, mean, placing, places, walls.hit, walls.rgb)
