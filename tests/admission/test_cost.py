from __future__ import annotations

from typing import Any

import pytest

from service.admission.cost import cost
from service.admission.footprint import coverage
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


@pytest.mark.parametrize("effects", [{}, {"grain": True}, {"bloom": True, "vignette": True}])
@pytest.mark.parametrize("fast", [False, True])
def test_the_estimate_is_the_sum_of_what_was_measured(effects: dict[str, bool], fast: bool) -> None:
    """The numbers are seconds, and seconds per megapixel."""
    settings = {"canvas": {"width": 1600, "height": 1000}, "postProcessing": effects}
    request = prepared(pictures.png(500, 800), Settings.model_validate(settings), fast=fast)
    assert request.scene.output.format in ("png", "jpeg")  # both take a hundredth of a second
    built = 1.6 * (0.015 + 0.015 * len(effects) + 0.01) + 0.4 * 0.02
    assert cost(request, built=True) == pytest.approx(built)
    plate = 0.05 + 1.6 * (0.02 + 0.25 * coverage(request.scene.spec))
    assert cost(request, built=False) == pytest.approx(built + plate * (0.3 if fast else 1))


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


def growth(more: dict[str, Any], *, built: bool = False, fast: bool = False) -> float:
    """Seconds that each further megapixel of a picture of a card costs."""
    small, large = (
        costs({"device": "card", "canvas": {"width": side, "height": side}, **more}, built=built, fast=fast)
        for side in (1000, 2000)
    )
    return (large - small) / 3


def test_a_megapixel_costs_what_is_done_to_it() -> None:
    assert growth({}, built=True) == pytest.approx(0.025)
    assert growth({"postProcessing": {"bloom": True, "grain": True}}, built=True) == pytest.approx(0.055)
    behind = {"backgroundImage": {"type": "screenshot"}}
    assert growth({"appearance": behind}, built=True) == pytest.approx(0.045)
    card = prepared(
        pictures.png(), Settings.model_validate({"device": "card", "canvas": {"width": 999, "height": 999}})
    )
    plate = 0.02 + 0.25 * coverage(card.scene.spec)
    assert growth({}) == pytest.approx(0.025 + plate, rel=1e-3)
    assert growth({}, fast=True) == pytest.approx(0.025 + 0.3 * plate, rel=1e-3)


def test_each_plate_costs_seconds_that_its_size_does_not_change() -> None:
    canvas = {"width": 1000, "height": 1000}
    small = costs({"device": "card", "canvas": canvas}) - growth({})
    assert small - (
        costs({"device": "card", "canvas": canvas}, built=True) - growth({}, built=True)
    ) == pytest.approx(0.05)


def test_large_screenshots_cost_more() -> None:
    small, large = (
        cost(prepared(pictures.png(*size), Settings()), built=True) for size in ((300, 400), (3000, 4000))
    )
    assert large - small == pytest.approx(0.02 * (12 - 0.12))
