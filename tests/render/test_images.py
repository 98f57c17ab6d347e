"""Mirror images of raised parts in smooth faces."""

from __future__ import annotations

import numpy as np

from service.arrays import F32
from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, bounds
from service.render.geometry.rotation import rotation
from service.render.paint.images import PartImage

PHONE = {slab.name: slab for slab in catalogue()["iphone-15-pro-max"].slabs}
PLATE, RING = plane(PHONE["camera"], True), PHONE["lens-1"]
CAMERA = Camera(rotation(6, 150, 0), 6.0, 1500.0, (400.0, 500.0), 800, 1000)


def shown(radiance: float) -> tuple[F32, Box]:
    """The light (h, w, 3) of a plate that mirrors a ring, and its box. The plate mirrors half of the light of
    a sky of radiance 0.2."""
    shape = mesh(RING)
    light = np.full(shape.points.shape, radiance, np.float32)
    image = PartImage(shape.mirrored(PLATE.mirrored(shape.points)), shape.hull, light, 3)
    box = bounds(CAMERA.project(shape.points), CAMERA.width, CAMERA.height, 30)
    mirrored = np.full((box.height, box.width, 3), 0.2, np.float32)
    image.show(mirrored, np.full(mirrored.shape[:2], 0.5, np.float32), CAMERA, box)
    return mirrored, box


def test_images_lie_behind_the_face_except_those_of_its_own_points() -> None:
    points = np.stack([PLATE.origin + 3 * PLATE.x, PLATE.origin + 2 * PLATE.normal])
    found = PLATE.mirrored(points)
    np.testing.assert_allclose(found, [points[0], PLATE.origin - 2 * PLATE.normal], atol=1e-9)
    np.testing.assert_allclose(PLATE.mirrored(found), points, atol=1e-9)


def test_an_image_takes_the_place_of_the_sky_with_the_faces_share() -> None:
    mirrored, _ = shown(1.0)
    assert (np.abs(mirrored - 0.5) < 1e-5).any()
    assert (mirrored == np.float32(0.2)).any()
    assert mirrored.min() >= 0.2 - 1e-6
    assert mirrored.max() <= 0.5 + 1e-5


def test_an_image_begins_at_the_foot_of_its_part() -> None:
    mirrored, box = shown(1.0)
    axes_x, axes_y = PLATE.x, PLATE.y
    center = np.array(RING.center) - PLATE.origin
    center = PLATE.origin + (center @ axes_x) * axes_x + (center @ axes_y) * axes_y
    turns = np.arange(0, 2 * np.pi, 0.1)[:, None]
    around = np.cos(turns) * axes_x + np.sin(turns) * axes_y
    seen = []
    for away in (0.0, 0.3, 4.0):
        places = CAMERA.project(center + (RING.size[0] / 2 + away) * around)
        column, row = (np.floor(places) - (box.x, box.y)).astype(int).T
        seen.append(mirrored[row, column, 0])
    foot, near, far = seen
    # The wall of the ring that faces the camera is mirrored in front of the ring, up to a distance equal to
    # the wall's height.
    toward = around @ (CAMERA.eye - center) > 0.3 * np.linalg.norm(CAMERA.eye - center)
    assert (near[toward] > 0.4).all()
    # The ring itself hides a part of the pixels at its foot, and its image fills the rest.
    assert (foot[toward] > 0.49).all()
    assert (far == np.float32(0.2)).all()
