from __future__ import annotations

from typing import Any

import pytest

from service.admission.cost import cost
from service.limits import HEAVY_RENDER_S, QUICK_RENDER_S
from service.settings.schema import Settings
from tests.support import pictures
from tests.support.requests import prepared

GIANT: dict[str, Any] = {
    "device": "macbook-pro-14",
    "canvas": {"width": 4096, "height": 4096},
    "export": {"scale": 1.54},
    "deviceTransform": {
        "scale": 5,
        "rotationX": 40,
        "rotationY": -55,
        "rotationZ": 20,
        "fieldOfView": 90,
        "framing": "upright",
    },
    "postProcessing": {"bloom": True, "grain": True},
}


def costs(settings: dict[str, Any], *, built: bool = False, fast: bool = False) -> float:
    return cost(prepared(pictures.png(), Settings.model_validate(settings), fast=fast), built=built)


def test_giant_pictures_are_heavy_and_the_usual_ones_are_not() -> None:
    assert costs(GIANT) > 5 * HEAVY_RENDER_S
    assert costs(GIANT, built=True) > HEAVY_RENDER_S
    assert costs({}) < HEAVY_RENDER_S
    assert costs({}, built=True) < QUICK_RENDER_S
    assert costs({}, fast=True) < QUICK_RENDER_S


@pytest.mark.parametrize(
    "more",
    [
        {"canvas": {"width": 2400, "height": 2400}},
        {"deviceTransform": {"scale": 2}},
        {"postProcessing": {"bloom": True}},
        {"export": {"format": "webp"}},
        {"export": {"format": "avif"}},
    ],
    ids=str,
)
def test_slower_work_costs_more(more: dict[str, Any]) -> None:
    assert costs(more) > costs({})


def test_encoding_costs_what_a_megapixel_takes_in_its_format() -> None:
    canvas = {"width": 1000, "height": 1000}
    found = {
        name: costs({"canvas": canvas, "export": {"format": name}})
        for name in ("png", "jpeg", "webp", "avif")
    }
    assert {name: round(one - found["png"], 6) for name, one in found.items()} == {
        "png": 0, "jpeg": 0, "webp": 0.04, "avif": 0.14,
    }  # fmt: skip


def test_large_screenshots_cost_more() -> None:
    small, large = (
        cost(prepared(pictures.png(*size), Settings()), built=True) for size in ((300, 400), (3000, 4000))
    )
    assert large > small + 0.1
