from __future__ import annotations

import pytest

from service.admission.footprint import footprint
from service.admission.memory import plan
from service.config import Config
from service.engine.request import prepare
from service.models.settings import Settings
from tests.codec.forms import FORMS


def settings(**canvas: int) -> Settings:
    return Settings.model_validate({"canvas": canvas} if canvas else {})


def needed(data: bytes, **canvas: int) -> int:
    return footprint(prepare(data, settings(**canvas)))


def taken(name: str, width: int = 800, height: int = 600) -> float:
    """Bytes a pixel of the screenshot, the rest left out."""
    one, two = (needed(FORMS[name](width, height * n)) for n in (1, 2))
    return (two - one) / (width * height)


def test_forms_that_take_more_are_charged_more() -> None:
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


@pytest.mark.parametrize("size", [(1206, 2622), (2360, 1640), (2740, 1567)])
def test_usual_screenshots_fit_into_512_megabytes(size: tuple[int, int]) -> None:
    room = plan(Config(memory_bytes=512 * 2**20), 2).alone
    assert needed(FORMS["rgba png"](*size)) < room
