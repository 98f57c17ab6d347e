from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.measures import ssim_map
from service.arrays import U8
from service.clock import Clock
from service.render.compose import exposure
from service.render.compose.shot import expose, place
from service.render.geometry.camera import aim, stage
from service.render.geometry.face import plane
from service.render.geometry.raster import Box
from service.render.paint.screens import share
from service.render.plates import plate, preview
from service.render.quality import FULL, PREVIEW, Quality
from service.settings.scene import Fit, PlateSpec
from tests.render.posing import EACH, picture, scene
from tests.render.test_arrangement import LAPTOP, PHONE, TABLET
from tests.render.test_arrangement import spec as scene_spec

CANVAS = {"canvas.width": 641, "canvas.height": 361, "appearance.backgroundColor": "#d8c8b8"}
POSES: list[dict[str, Any]] = [
    {"deviceTransform.rotationX": 8, "deviceTransform.rotationY": -25},
    {"deviceTransform.rotationY": 165},
    {"deviceTransform.rotationX": 15, "deviceTransform.rotationY": 35, "deviceTransform.rotationZ": 20},
    {
        "deviceTransform.scale": 2.5,
        "deviceTransform.positionX": 0.7,
        "deviceTransform.framing": "upright",
    },
]


def shot() -> U8:
    """A screenshot with large shapes."""
    pixels = np.full((700, 500, 3), 250, np.uint8)
    for row in range(6):
        cv2.rectangle(pixels, (40, 40 + 110 * row), (460, 120 + 110 * row), (40 + 30 * row, 90, 200), -1)
    return pixels


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("device", EACH)
@pytest.mark.long
def test_a_preview_looks_like_the_picture(device: str, pose: dict[str, Any]) -> None:
    given = CANVAS | pose | {"device": device}
    whole, quick = picture(shot(), given), picture(shot(), given, fast=True)
    assert whole.shape == quick.shape == (361, 641, 3)
    assert ssim_map(whole, quick).mean() >= 0.97
    assert np.abs(whole.astype(int) - quick).mean() < 1.5


@pytest.mark.parametrize("pose", POSES)
def test_a_preview_keeps_the_outline(pose: dict[str, Any]) -> None:
    given = CANVAS | pose | {"appearance.backgroundColor": "transparent", "shadow.enabled": False}
    whole, quick = picture(shot(), given), picture(shot(), given, fast=True)
    assert quick.shape == (361, 641, 4)
    assert np.abs(whole[..., 3].astype(int) - quick[..., 3]).max() <= 110
    assert np.abs(whole[..., 3].astype(int) - quick[..., 3]).mean() < 0.15


def test_the_edge_of_a_phone_is_even() -> None:
    # Seen in this pose, the phone's wall is one or two px wide, so two samples per px hit only pieces of it.
    pose = {"canvas.width": 960, "canvas.height": 540, "deviceTransform.rotationX": 10}
    given = CANVAS | pose | {"deviceTransform.rotationY": -25, "device": "iphone-16-pro"}
    black = np.zeros((700, 500, 3), np.uint8)
    whole, quick = (
        picture(black, given, fast=fast).astype(np.float32).mean(axis=2) for fast in (False, True)
    )
    wall = cv2.blur(quick - whole, (3, 15))[80:400, 370:410]
    assert np.abs(wall).max() < 22
    assert np.abs(wall).mean() < 1.2


def test_the_screen_is_as_bright_and_as_sharply_cut() -> None:
    given = CANVAS | {"appearance.backgroundColor": "#000000", "reflection.enabled": False}
    white = np.full((700, 500, 3), 255, np.uint8)
    whole, quick = picture(white, given), picture(white, given, fast=True)
    lit = whole.min(axis=2) > 250
    assert lit.sum() > 10_000
    assert quick[lit].min() > 240
    # Pixels that are dark in the picture are dark in the preview, too, unless they lie within two px of the
    # screen.
    far = cv2.dilate((whole.max(axis=2) > 90).astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    assert quick[far].max() < 110


@pytest.mark.parametrize("device", ["iphone-16-pro", "iphone-15-pro-max"])
@pytest.mark.parametrize("pose", [{"scale": 0.5}, {"scale": 0.5, "rotationY": 20}, {"rotationX": -65}])
def test_narrow_strips_of_screen_shine(device: str, pose: dict[str, float]) -> None:
    given = {"canvas.width": 1280, "canvas.height": 720, "device": device, "reflection.enabled": False}
    given |= {f"deviceTransform.{name}": value for name, value in pose.items()}
    white = np.full((700, 500, 3), 255, np.uint8)
    whole, quick = picture(white, given), picture(white, given, fast=True)
    # The strip between the island and the bezel can be as narrow as a pixel.
    assert quick[whole.min(axis=2) > 230].min() > 150


@pytest.mark.parametrize("device", ["iphone-15-pro-max", "pixel-9-pro"])
def test_the_screens_edge_is_smooth_when_turned_away(device: str) -> None:
    given = {"canvas.width": 1280, "canvas.height": 720, "device": device, "deviceTransform.rotationY": 75}
    of = scene(given, (500, 700))
    screen, camera, box = of.device.screen, aim(of.spec), Box(0, 0, 1280, 720)
    at = plane(next(slab for slab in of.device.slabs if slab.name == screen.slab), True)
    found = share(screen, at, camera, box)
    partial = (found > 0.02) & (found < 0.98)
    assert partial.sum() > 500
    # A row may cross both edges of the screen and both of the island. The median row has at most four mixed
    # pixels.
    assert np.median(partial.sum(axis=1)[partial.any(axis=1)]) <= 4


@pytest.mark.parametrize("shape", ["linear", "radial"])
def test_gradients_end_in_the_corners(shape: str) -> None:
    given: dict[str, Any] = {"canvas.width": 101, "canvas.height": 103, "deviceTransform.scale": 0.1}
    given |= {"shadow.enabled": False, "appearance.gradientEnabled": True, "appearance.gradientType": shape}
    given |= {"appearance.backgroundColor": "#000000", "appearance.gradientColor": "#ffffff"}
    whole, quick = picture(shot(), given), picture(shot(), given, fast=True)
    assert np.abs(whole.astype(int) - quick)[:30].max() <= 5


def test_a_preview_of_a_device_off_the_canvas_is_its_background() -> None:
    given = CANVAS | {"deviceTransform.scale": 3, "deviceTransform.positionX": 2, "shadow.enabled": False}
    assert (picture(shot(), given, fast=True) == np.array([0xD8, 0xC8, 0xB8])).all()


def test_a_window_has_no_preview() -> None:
    window = scene(CANVAS | {"device": "browser-chrome-light"}, (500, 700))
    assert not preview.possible([window.device], preview.halved(stage(window.spec)))
    phone = scene(CANVAS | {"deviceTransform.rotationX": 89}, (500, 700))
    assert preview.possible([phone.device], preview.halved(stage(phone.spec)))
    assert not preview.possible([phone.device, window.device], preview.halved(stage(phone.spec)))


@pytest.mark.parametrize("pose", POSES[1:3])
def test_a_preview_of_a_screen_in_a_light_face_looks_like_the_picture(pose: dict[str, Any]) -> None:
    given = CANVAS | pose | {"device": "imac-24", "ground.kind": "none"}
    whole, quick = picture(shot(), given), picture(shot(), given, fast=True)
    assert ssim_map(whole, quick).mean() >= 0.99
    difference = np.abs(whole.astype(int) - quick).max(axis=2)
    assert difference.mean() < 0.5
    # It is painted in the quality of previews, so it is not the picture itself.
    assert (difference > 4).any()


def test_only_lit_faces_have_the_quality_of_previews() -> None:
    def quality(device: str) -> Quality:
        of = scene(CANVAS | {"device": device}, (500, 700))
        return preview.whole([of.device], preview.halved(stage(of.spec)))

    assert quality("browser-chrome-light") == FULL
    assert quality("imac-24").face_rays == PREVIEW.face_rays
    assert quality("imac-24").exact_edges
    assert quality("imac-24").batched


def test_a_left_out_button_leaves_no_hole_in_the_wall() -> None:
    pose = {"deviceTransform.rotationX": 8, "deviceTransform.rotationY": 50}
    given = CANVAS | pose | {"device": "iphone-16-pro", "shadow.enabled": False, "ground.kind": "none"}
    whole, quick = (
        picture(shot(), given, fast=fast).astype(np.float32).mean(axis=2) for fast in (False, True)
    )
    # The wall with the buttons, which is as bright everywhere.
    wall = cv2.blur(quick - whole, (5, 5))[110:190, 240:300]
    assert np.abs(wall).max() < 14


SCENES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "desk": ([{"device": LAPTOP}, {"device": TABLET}, {"device": PHONE}], {"layout": "desk"}),
    "fan": ([{"device": PHONE}] * 3, {"layout": "fan", "appearance__backgroundColor": "transparent"}),
    "crossing": (
        [
            {"device": TABLET, "deviceTransform": {"rotationY": 25}},
            {"device": PHONE, "deviceTransform": {"rotationY": -50, "rotationZ": 20}},
        ],
        {},
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_preview_of_a_scene_looks_like_the_picture(name: str) -> None:
    """Nearer devices hide farther ones with edges as sharp as those of pictures, even where devices
    intersect."""
    devices, given = SCENES[name]
    given = {"canvas__width": 641, "canvas__height": 361, **given}
    whole, quick = (drawn(replace(scene_spec(devices, **given), fast=fast)) for fast in (False, True))
    assert whole.shape == quick.shape
    assert ssim_map(whole[..., :3], quick[..., :3]).mean() >= 0.97
    assert np.abs(whole.astype(int) - quick).mean() < 2


def drawn(spec: PlateSpec) -> U8:
    """A scene whose devices all show the same screenshot."""
    made, page = plate.build(spec, Clock()), shot()
    shots = []
    for layer in made.screens:
        assert layer is not None
        placed = place((page.shape[1], page.shape[0]), layer.size, Fit())
        shots.append(expose(page, placed, Fit(), layer, Clock(), fast=spec.fast))
    return np.concatenate(list(exposure.bands(made, shots, (), Clock())))
