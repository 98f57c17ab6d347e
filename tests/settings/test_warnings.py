"""Warnings about pictures: when they are given, their figures, their paths and the remedies that they
name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.api import answers
from service.settings import warnings

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
