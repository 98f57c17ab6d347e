from __future__ import annotations

import cv2
import numpy as np
import pytest

from service.admission.footprint import coverage, footprint
from service.admission.memory import plan
from service.config import Config
from service.devices.device import catalogue
from service.render.geometry.camera import aim
from service.render.geometry.silhouette import outlines
from service.settings.poses import Framing
from service.settings.scene import Background, Instance, PlateSpec, Transform
from service.settings.schema import Settings
from service.validation.color import BLACK, TRANSPARENT
from tests.codec.forms import FORMS
from tests.support.requests import prepared


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


def test_encoders_that_take_the_whole_picture_are_charged_by_its_pixels() -> None:
    def growth(name: str) -> int:
        sizes = ((1000, 1000), (1000, 2000))
        given = [
            {"device": "card", "canvas": {"width": w, "height": h}, "export": {"format": name}}
            for w, h in sizes
        ]
        small, large = (
            footprint(prepared(FORMS["webp"](40, 30), Settings.model_validate(one))) for one in given
        )
        return large - small

    assert growth("png") == growth("jpeg") == growth("webp")
    assert growth("avif") - growth("png") == 37_000_000


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
