"""Holes through plates: what is behind shows through them, and their walls are seen at a slant."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks import posed
from service.arrays import F64, U8
from service.devices.device import catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane

SIZE = (960, 540)
IMAC = catalogue()["imac-24"]
UPRIGHT = IMAC.slab("upright")
(HOLE,) = UPRIGHT.holes


def seen(angles: tuple[float, float, float]) -> tuple[U8, Camera]:
    """The device without a background, and its camera."""
    spec = posed.spec(IMAC, angles, size=SIZE)
    return posed.picture(spec)[0], posed.camera(spec)


def at(camera: Camera, radii: float, turn: float, depth: float = 0.0) -> tuple[int, int]:
    """The row and column of a point of the hole, `radii` from its middle, `turn` degrees from its right."""
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    point: F64 = (np.array(HOLE.center) + radii * HOLE.diameter / 2 * way)[None, None]
    homography = plane(UPRIGHT, True).homography(camera, depth)
    column, row = cv2.perspectiveTransform(point, homography)[0, 0]
    return int(row), int(column)


@pytest.mark.parametrize("angles", [(35, -140, 0), (20, -130, 0)])
def test_the_background_shows_through_a_hole_below_the_screen(
    angles: tuple[float, float, float],
) -> None:
    picture, camera = seen(angles)
    alpha = picture[..., 3]
    assert alpha[at(camera, 0.6, -110, UPRIGHT.size[2])] == 0
    for turn in range(0, 360, 30):
        assert alpha[at(camera, 1.2, turn)] == 255


def test_the_screens_back_shows_through_it_in_its_own_colour() -> None:
    picture, camera = seen((10, 165, 0))
    red, _, blue, alpha = picture[at(camera, 0, 0, UPRIGHT.size[2])].astype(int)
    assert alpha == 255
    # On a blue device, the screen's back is a far deeper blue than the stand.
    stand = picture[at(camera, 1.3, 90)].astype(int)
    assert blue - red > 1.5 * (stand[2] - stand[0])


def test_the_wall_of_a_hole_hides_the_background() -> None:
    picture, camera = seen((20, -120, 0))
    near, far = (
        np.array([at(camera, 1, turn, depth)[::-1] for turn in range(0, 360, 5)], np.int32)
        for depth in (0.0, UPRIGHT.size[2])
    )
    inside, beyond = (cv2.fillConvexPoly(np.zeros(SIZE[::-1], np.uint8), one, 1) for one in (near, far))
    wall = (cv2.erode(inside, np.ones((2, 2))) > 0) & (cv2.dilate(beyond, np.ones((2, 2))) == 0)
    assert wall.sum() > 10
    assert (picture[..., 3][wall] == 255).all()
    # The wall is lit from one side.
    assert np.ptp(picture[..., 1][wall].astype(int)) > 10
