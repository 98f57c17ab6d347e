"""The camera compared with its formula: projections and distance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from service.arrays import F64
from service.devices.device import catalogue
from service.render.geometry.camera import Camera, aim, field_of_view
from service.render.geometry.mesh import corners, hull, pose
from service.render.geometry.rotation import rotation
from service.render.geometry.silhouette import off_canvas
from tests.render.posing import scene

PHONE = catalogue()["iphone-16-pro"]


def looking(turn: F64, distance: float = 100.0) -> Camera:
    return Camera(turn, 2.0, distance, (60.0, 40.0), 120, 80)


@pytest.mark.parametrize("field", [0.0, 0.4, 5.0, 30.0])
def test_points_are_projected_by_the_formula(field: float) -> None:
    """px = W/2 + X·W/2 + x·k·D/(D - z), with the D that gives the field of view at scale 1."""
    width, height, scale, x, y = 900, 700, 1.7, 0.3, -0.2
    given: dict[str, Any] = {
        "canvas.width": width,
        "canvas.height": height,
        "deviceTransform.fieldOfView": field,
    }
    given |= {"deviceTransform.scale": scale, "deviceTransform.positionX": x, "deviceTransform.positionY": y}
    turned = given | {"deviceTransform.rotationX": 20, "deviceTransform.rotationY": -35}
    of = scene(turned, (600, 1300))
    camera = aim(of.spec)
    unit = 0.78 * min(height / PHONE.body[1], width / PHONE.body[0])
    distance = math.inf if field == 0 else height / unit / (2 * math.tan(math.radians(field) / 2))
    points = np.random.default_rng(1).uniform(-1, 1, (50, 3)) * np.array(PHONE.body) / 2
    turn = rotation(20, -35, 0)
    view = points @ turn.T
    shrink = 1 / (1 - view[:, 2] / distance)
    expected = np.stack(
        [
            width / 2 * (1 + x) + view[:, 0] * scale * unit * shrink,
            height / 2 * (1 - y) - view[:, 1] * scale * unit * shrink,
        ],
        axis=1,
    )
    assert camera.project(points) == pytest.approx(expected, abs=0.02 if field == 0 else 1e-6)
    if field:
        assert camera.distance == pytest.approx(distance)
        assert camera.eye == pytest.approx(turn.T @ [0, 0, distance])


def test_a_plane_is_projected_like_its_points() -> None:
    camera = looking(rotation(10, 30, -5))
    origin, x, y = np.array([3.0, -2, 4]), np.array([1.0, 0, 0]), np.array([0, 0.8, 0.6])
    matrix = camera.homography(origin, x, y)
    for u, v in ((0, 0), (10, 3), (-7, 12)):
        flat = matrix @ [u, v, 1]
        assert flat[:2] / flat[2] == pytest.approx(camera.project((origin + u * x + v * y)[None])[0])
        assert flat[2] == pytest.approx(camera.depth((origin + u * x + v * y)[None])[0])


def test_a_pivot_beside_the_axis_is_seen_from_the_side() -> None:
    turn, aside = rotation(10, 30, -5), (12.0, -7.0)
    moved = Camera(turn, 2.0, 100.0, (60.0, 40.0), 120, 80, aside)
    points = np.random.default_rng(2).uniform(-20, 20, (30, 3))
    there = looking(turn).project(points + turn.T @ [*aside, 0.0])
    assert moved.project(points) == pytest.approx(there)
    assert turn @ moved.eye == pytest.approx([-12.0, 7.0, 100.0])
    matrix = moved.homography(points[0], *np.eye(3)[:2])
    flat = matrix @ [3.0, 4.0, 1.0]
    assert flat[:2] / flat[2] == pytest.approx(moved.project((points[0] + [3.0, 4.0, 0.0])[None])[0])
    # Points nearer than the pivot move farther.
    assert moved.finer(2).project(points) == pytest.approx(2 * there)


def test_axes_are_orthogonal_for_any_input() -> None:
    slab = PHONE.slabs[0].model_copy(update={"x": (2.0, 0, 0), "y": (1.0, 3.0, 4.0)})
    axes, center = pose(slab)
    assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-12)
    assert axes[:, 0] == pytest.approx([1, 0, 0])
    assert axes[:, 1] == pytest.approx([0, 0.6, 0.8])
    assert axes[:, 2] == pytest.approx([0, -0.8, 0.6])
    assert tuple(center) == tuple(slab.center)


def test_the_field_of_view_shrinks_to_keep_the_camera_outside() -> None:
    """The camera stays 1.25 radii of the body away from the pivot (docs/rendering.md)."""
    given: dict[str, Any] = {"canvas.width": 960, "canvas.height": 540}
    given["deviceTransform.framing"] = "upright"
    for field in (20, 60, 90):
        of = scene(given | {"deviceTransform.fieldOfView": field, "device": "ipad-pro-11-m4"}, (1000, 800))
        camera, left = aim(of.spec), field_of_view(of.spec)
        # Seen from the camera, the height of the canvas at the pivot takes up exactly that angle.
        assert 540 / camera.k == pytest.approx(2 * camera.distance * math.tan(math.radians(left) / 2))
        assert left <= field
    assert left < 89


@pytest.mark.parametrize(("x", "y"), [(0.8, 0.0), (0.0, -1.2), (0.9, 0.7), (0.0, 0.0), (1.9, 0.0)])
def test_the_share_off_the_canvas(x: float, y: float) -> None:
    """The expected share is computed from the window's rectangle, seen straight on."""
    width, height = 600, 500
    given: dict[str, Any] = {"canvas.width": width, "canvas.height": height, "deviceTransform.fieldOfView": 0}
    given |= {"deviceTransform.positionX": x, "deviceTransform.positionY": y}
    of = scene({**given, "device": "browser-chrome-light"}, (1200, 800))
    camera = aim(of.spec)
    low, high = camera.bounds(hull(of.device))
    size = high - low
    shown = np.minimum(high, [width, height]) - np.maximum(low, 0)
    expected = 1 - np.prod(np.maximum(shown, 0)) / np.prod(size)
    assert off_canvas(of.device, camera) == pytest.approx(expected, abs=0.004)


@pytest.mark.parametrize(("x", "y", "z"), [(0, 0, 0), (20, -40, 10), (-60, 30, 0)])
@pytest.mark.parametrize("canvas", [(900, 600), (400, 700)])
def test_a_posed_device_is_centred_and_spans_its_share(
    x: float, y: float, z: float, canvas: tuple[int, int]
) -> None:
    """The posed device spans 78 % of the canvas' width or height, whichever it reaches first."""
    given: dict[str, Any] = {"canvas.width": canvas[0], "canvas.height": canvas[1]}
    given |= {"deviceTransform.rotationX": x, "deviceTransform.rotationY": y, "deviceTransform.rotationZ": z}
    of = scene(given | {"deviceTransform.framing": "posed", "device": "macbook-pro-14"}, (1200, 800))
    low, high = aim(of.spec).bounds(hull(of.device))
    assert (low + high) / 2 == pytest.approx(np.array(canvas) / 2)
    assert ((high - low) / canvas).max() == pytest.approx(0.78)


def test_the_corners_of_a_slab_are_half_its_sizes_from_its_middle_along_its_axes() -> None:
    lid = catalogue()["macbook-pro-14"].slab("lid")
    axes, center = pose(lid)
    found = (corners(lid) - center) @ axes
    np.testing.assert_allclose(np.abs(found), np.broadcast_to(np.array(lid.size) / 2, (8, 3)))
    assert len({tuple(np.sign(one)) for one in found}) == 8
