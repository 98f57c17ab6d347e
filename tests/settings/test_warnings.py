"""Warnings about pictures: when they are given, their figures, their paths and the remedies that they
name."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.api import answers
from service.settings import warnings
from service.settings.warnings import Warning

ROOT = Path(__file__).resolve().parents[2]


def test_every_code_is_declared_documented_and_in_the_schema() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = page.partition("Warnings accompany")[2].partition("## ")[0]
    assert dict(re.findall(r"^\| `([A-Z_]+)` \| (.+) \|$", table, re.MULTILINE)) == warnings.CODES
    used = set()
    for file in (ROOT / "service").rglob("*.py"):
        used |= set(re.findall(r"\bWarning\(\s*\"([A-Z_]+)\"", file.read_text(encoding="utf-8")))
    assert used == set(warnings.CODES)
    shape = answers.Warning.model_json_schema()["properties"]["code"]
    assert shape["enum"] == list(warnings.CODES)


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ((0.0149, 0.0, 0.0149, 0.0), None),
        (
            (0.09, 0.0, 0.09, 0.0),
            "18% of the screenshot's width is cropped, 9% at the left and 9% at the right",
        ),
        ((0.0, 0.0, 0.0, 0.19), None),
        ((0.0, 0.0, 0.0, 0.37), "37% of the screenshot's height is cropped at the bottom"),
        (
            (0.0, 0.2, 0.0, 0.2),
            "40% of the screenshot's height is cropped, 20% at the top and 20% at the bottom",
        ),
    ],
)
def test_cropping_warnings_name_amount_side_and_remedy(
    lost: tuple[float, float, float, float], said: str | None
) -> None:
    found = warnings.cropped(*lost)
    if said is None:
        assert found is None
        return
    assert found is not None
    assert found.code == "CROPPED"
    assert found.message.startswith(said)
    assert "screen.fit contain" in found.message
    assert ("screen.anchor" in found.message) == ("height" in said)


def test_bar_warnings_name_the_sides() -> None:
    assert warnings.letterboxed(0.0, 0.002, 0.0, 0.0029) is None
    narrow = warnings.letterboxed(0.0, 0.0026, 0.0, 0.0026)
    assert narrow is not None
    assert narrow.message.startswith("Bars take 0% of the screen at the top and 0% of")
    found = warnings.letterboxed(0.0, 0.125, 0.0, 0.125)
    assert found is not None
    assert found.message.startswith(
        "Bars take 12% of the screen at the top and 12% of the screen at the bottom"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [(1.03, None), (1 / 1.03, None), (1.21, "21% wider"), (0.5, "100% taller")],
)
def test_stretch_warnings_name_the_amount(change: float, said: str | None) -> None:
    found = warnings.stretched(change)
    assert said in found.message if found and said else found is None


def test_upscale_warnings_name_a_sharp_size() -> None:
    assert warnings.upscaled((100, 200), (102, 204)) is None
    found = warnings.upscaled((100, 200), (250, 500))
    assert found is not None
    assert "100 x 200 px is enlarged 2.5 times; one of 250 x 500 px" in found.message


def codes(function: Callable[..., Warning | None], *shares: float) -> list[bool]:
    """Whether there is a warning, for each share."""
    return [function(share) is not None for share in shares]


def test_shares_are_reported_from_their_thresholds_on() -> None:
    """The thresholds are those of the table in `docs/api.md`."""
    assert codes(warnings.off_canvas, 0.0, 0.02, 0.021) == [False, False, True]
    assert codes(warnings.screen_hidden, 0.749, 0.75) == [False, True]
    assert codes(lambda share: warnings.low_contrast("x", share, 2.0), 0.249, 0.25) == [False, True]
    assert codes(lambda share: warnings.transparent_margin(share, False), 0.029, 0.03) == [False, True]
    assert codes(lambda share: warnings.text_cut("x", share, shrunk=False), 0.0, 0.001) == [False, True]
    assert codes(lambda lost: warnings.cropped(lost, 0, 0, 0), 0.029, 0.03) == [False, True]
    assert codes(lambda lost: warnings.cropped(0, 0, 0, lost), 0.199, 0.2) == [False, True]
    assert codes(lambda part: warnings.letterboxed(part, 0, 0, 0), 0.0049, 0.005) == [False, True]
    assert codes(lambda part: warnings.letterboxed(0, 0, 0, part), 0.0049, 0.005) == [False, True]
    assert codes(warnings.stretched, 1.03, 1.031, 1 / 1.031) == [False, True, True]
    assert codes(lambda used: warnings.field_of_view_limited(30, used), 30, 29.9) == [False, True]
    assert codes(lambda times: warnings.upscaled((1000, 1), (times, 1)), 1020, 1021) == [False, True]
    assert codes(lambda times: warnings.upscaled((1, 1000), (1, times)), 1020, 1021) == [False, True]


@pytest.mark.parametrize(
    ("warning", "said"),
    [
        # Shares are rounded down, so that 100 % means all of it.
        (warnings.off_canvas(0.999), "99% of the device"),
        (warnings.screen_hidden(0.999), "hide 99% of its screen"),
        (warnings.text_cut("captions[0]", 0.001, shrunk=True), "1% of the letters of captions[0] lie"),
        (warnings.text_cut("captions[0]", 0.5, shrunk=True), "; shorten its text"),
        (warnings.text_cut("captions[0]", 0.5, shrunk=False), "; move it, or set overflow shrink"),
        (warnings.transparent_margin(1, False), "The whole screenshot is transparent"),
        (warnings.transparent_margin(0.99, False), "takes 99% of the screenshot"),
        (warnings.transparent_margin(0.5, False), "; cut it off first"),
        (warnings.transparent_margin(0.5, True), "device card with screen.trim auto"),
        (warnings.no_effect(["a"], "on card"), "a has no effect on card"),
        (warnings.no_effect(["a", "b"], "on card"), "a and b have no effect on card"),
        (warnings.missing_glyphs("screen.url"), "they are left out"),
        (warnings.missing_glyphs("screen.url", drawn=True), "boxes stand for them"),
        (warnings.frames_resampled(29.97, 30, 1), "29.97 frames a second, the film 30"),
        (warnings.frames_resampled(60, 30, 2), "60 frames a second at 2 times its speed"),
        (warnings.field_of_view_limited(45, 30.04), "fieldOfView of 45 the camera would be inside"),
        (warnings.low_contrast("captions[0]", 0.5, 2.04), "50% of the letters of captions[0] have"),
        (warnings.alpha_flattened(), "use export.format png, webp or avif"),
        (warnings.cropped(0.004, 0, 0.05, 0), "5% of the screenshot's width is cropped at the right"),
        (warnings.cropped(0.005, 0, 0.05, 0), "cropped, 0% at the left and 5% at the right"),
        (warnings.letterboxed(0.0025, 0, 0.01, 0), "Bars take 0% of the screen at the left and 1%"),
        (warnings.letterboxed(0.0024, 0, 0.01, 0), "Bars take 1% of the screen at the right;"),
    ],
)
def test_messages_name_amounts_and_remedies(warning: Warning | None, said: str) -> None:
    assert warning is not None
    assert said in warning.message


def test_nothing_to_name_is_no_warning() -> None:
    assert warnings.no_effect([], "on card") is None
