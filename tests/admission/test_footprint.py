from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from service.admission.footprint import coverage, footprint
from service.admission.memory import plan
from service.codec import header
from service.config import Config
from service.devices.content import Content
from service.devices.device import catalogue
from service.engine.request import GivenScreenshot, Known, prepare
from service.render.geometry.camera import aim
from service.render.geometry.silhouette import outlines
from service.settings.poses import Framing
from service.settings.scene import Background, Instance, PlateSpec, Transform
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from service.settings.schema import Settings
from service.validation.color import BLACK, TRANSPARENT
from tests.codec.forms import FORMS
from tests.support.requests import prepared

PICTURE = FORMS["webp"](40, 30)


def settings(**canvas: int) -> Settings:
    return Settings.model_validate({"canvas": canvas} if canvas else {})


def needed(data: bytes, **canvas: int) -> int:
    return footprint(prepared(data, settings(**canvas)))


def taken(name: str, width: int = 800, height: int = 600) -> float:
    """The estimated bytes per pixel of the screenshot alone."""
    one, two = (needed(FORMS[name](width, height * n)) for n in (1, 2))
    return (two - one) / (width * height)


def test_forms_that_take_more_memory_are_charged_more() -> None:
    assert taken("rgb png") < taken("rgba png") < taken("rgba png with a profile")
    assert taken("jpeg") < taken("progressive jpeg") < taken("progressive cmyk jpeg")
    assert taken("jpeg") < taken("turned jpeg")
    assert taken("webp") < taken("lossless webp") < taken("lossless webp with alpha")
    assert taken("gif") < taken("transparent gif")


def test_a_file_and_a_picture_are_charged() -> None:
    data = FORMS["webp"](40, 30)
    running = needed(data)
    assert running > 1920 * 1080 * 20
    longer = data + bytes(1_000_000)
    assert needed(longer) == running + 5_000_000
    assert needed(data, width=4096, height=4096) > 4096 * 4096 * 20


def pixel(side: int = 1000, **settings: Any) -> float:
    """The bytes that are charged for each further pixel of a picture with sides of `side` px."""
    small, large = (footprint(prepared(PICTURE, card(side, **settings))) for side in (side, 2 * side))
    return (large - small) / (3 * side**2)


def card(side: int, **settings: Any) -> Settings:
    return Settings.model_validate({"device": "card", "canvas": {"width": side, "height": side}} | settings)


def test_pixels_are_charged_for_what_is_done_to_them() -> None:
    covered = 82 * coverage(prepared(PICTURE, card(999)).scene.spec)
    assert pixel() == pytest.approx(16 + covered, abs=1e-3)
    assert pixel(export={"format": "jpeg"}) == pixel(export={"format": "webp"}) == pixel()
    assert pixel(export={"format": "avif"}) == pytest.approx(pixel() + 37), "the encoder takes it at once"
    assert pixel(ground={"kind": "floor", "reflectivity": 0.2}) == pytest.approx(pixel() + 40)
    assert pixel(ground={"kind": "floor", "reflectivity": 0}) == pixel()
    assert pixel(postProcessing={"depth": {"amount": 0.5}}) == pytest.approx(pixel() + 16)
    behind = {"backgroundImage": {"type": "screenshot"}}
    assert pixel(appearance=behind) == pytest.approx(pixel() + 8)
    # A plate is built some rows at a time, so its temporary memory is bounded.
    small, large = (footprint(prepared(PICTURE, card(side))) for side in (1000, 4000))
    assert large - small == pytest.approx(16 * 15e6 + 180 * 2**20 - 1e6 * covered, abs=2)


def test_screenshots_that_may_have_to_be_trimmed_are_charged_for_a_copy() -> None:
    picture, area = FORMS["rgba png"](40, 30), 40 * 30
    settled, unknown = (
        prepare([GivenScreenshot(picture, known=known)], SceneSettings(card(1000)))
        for known in (Known(header.read(picture), None), None)
    )
    assert settled.supposed is None
    assert unknown.supposed is not None
    # Until its corners are known, the card may cover the whole canvas.
    open_ = 82 * (1 - coverage(settled.scene.spec)) * 1e6
    assert footprint(unknown) - footprint(settled) == pytest.approx(4 * area + open_, abs=2)
    known = Known(header.read(picture), Content((40, 30), (3, 4, 30, 20), window=True))
    trimmed = prepare([GivenScreenshot(picture, known=known)], SceneSettings(card(1000)))
    assert trimmed.scene.shown[0].trim is not None
    less = 82 * (coverage(settled.scene.spec) - coverage(trimmed.scene.spec)) * 1e6
    assert footprint(trimmed) - footprint(settled) == pytest.approx(4 * area - less, abs=2)


def test_devices_are_charged_for_their_shapes() -> None:
    def rest(device: str) -> float:
        one, two = (footprint(prepared(PICTURE, card(side, device=device))) for side in (500, 1000))
        return (4 * one - two) / 3

    assert rest("card") == pytest.approx(16 * 2**20, abs=20_000), "the file and its pixels are small"
    assert rest("iphone-16-pro") == pytest.approx(rest("card"), abs=2)
    for device in ("monitor", "macbook-pro-14"):
        assert rest(device) == pytest.approx(rest("card") + 20 * 2**20, abs=2), "light between its parts"


def test_further_devices_of_a_scene_are_charged_for_canvases_of_their_own() -> None:
    def charged(count: int, side: int) -> int:
        scene = SceneSettings(card(side), (Member(SceneDevice(), 0),) * count, named=True)
        return footprint(prepare([GivenScreenshot(PICTURE)], scene))

    shapes, pixels = 16 * 2**20, 1_000_000
    one, two, three = (charged(count, 1000) for count in (1, 2, 3))
    assert three - two == shapes + (24 + 11) * pixels
    alone = prepare([GivenScreenshot(PICTURE)], SceneSettings(card(1000)))
    assert one == footprint(alone)
    open_ = 82 * (1 - coverage(alone.scene.spec)) * pixels
    assert two - one == pytest.approx(three - two + open_, abs=2), "several may cover the whole canvas"
    assert charged(3, 4000) - charged(2, 4000) == shapes + 72 * 2**20 + 11 * 16 * pixels


def test_one_device_in_auto_framing_never_covers_its_margins() -> None:
    turned = [
        card(1000, deviceTransform={"rotationY": angle, "fieldOfView": 90, "framing": "auto"})
        for angle in range(-60, 61, 10)
    ]
    shares = [coverage(prepared(PICTURE, one).scene.spec) for one in turned]
    assert max(shares) == pytest.approx(0.92**2)


@pytest.mark.parametrize("size", [(1206, 2622), (2360, 1640), (2740, 1567)])
def test_usual_screenshots_fit_into_512_megabytes(size: tuple[int, int]) -> None:
    room = plan(Config(memory_bytes=512 * 2**20), 2).alone
    assert needed(FORMS["rgba png"](*size)) < room


@pytest.mark.parametrize(
    "device", ["ipad-pro-13-m4", "iphone-16-pro", "macbook-pro-14", "apple-watch-ultra-3"]
)
@pytest.mark.parametrize("framing", ["auto", "upright", "posed", "balanced"])
def test_no_device_exceeds_its_estimated_coverage(device: str, framing: Framing) -> None:
    of = catalogue()[device]
    for turn in ((0, 0, 0), (15, -35, 5), (70, 20, 0), (-20, 160, 30), (35, -60, 90)):
        for width, height, fov, scale in ((400, 300, 30.0, 1.0), (300, 400, 75.0, 1.0), (480, 300, 0.0, 1.2)):
            transform = Transform(scale, 0, 0, *turn, fov, framing)
            for orientation in of.orientations:
                spec = PlateSpec(
                    (Instance(of, orientation, BLACK),),
                    width,
                    height,
                    transform,
                    Background.of(TRANSPARENT),
                    None,
                    "studio",
                    1.0,
                )
                covered = np.zeros((height, width), np.uint8)
                for ring in outlines(of, aim(spec)):
                    cv2.fillPoly(covered, [np.rint(ring).astype(np.int32)], 1)
                # OpenCV fills outlines a pixel too wide.
                assert covered.mean() < coverage(spec) + 0.02


def test_a_tablet_that_lies_covers_half_a_picture() -> None:
    of = catalogue()["ipad-pro-13-m4"]
    spec = PlateSpec(
        (Instance(of, "landscape", BLACK),),
        1600,
        1200,
        Transform(),
        Background.of(TRANSPARENT),
        None,
        "studio",
        1.0,
    )
    assert 0.55 < coverage(spec) < 0.65
