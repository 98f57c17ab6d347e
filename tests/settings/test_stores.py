"""The rules of app stores."""

from __future__ import annotations

from typing import Any

import pytest

from service.errors import MockupError
from service.settings import stores
from service.settings.merge import MergedSettings
from service.settings.schema import PRESETS


def faults(**settings: Any) -> list[tuple[str, str]]:
    merged = MergedSettings(settings)
    try:
        merged.resolve()
    except MockupError as error:
        return [(one.path, one.message) for one in error.details]
    return []


def test_presets_are_sizes_that_the_stores_take() -> None:
    for name, size in PRESETS.items():
        for prefix, store in (("app-store", "apple"), ("play", "play")):
            if name.startswith(prefix):
                assert list(stores.refused(store, size, kind="png", alpha=False)) == [], name  # type: ignore[arg-type]


def test_unverified_sizes_are_on_the_list() -> None:
    listed = {size for display in stores.APPLE for size in display.sizes}
    assert listed >= stores.UNVERIFIED
    assert all(url.startswith("https://") for url in stores.SOURCES.values())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"canvas": {"width": 1320, "height": 2866}, "export": {"store": "apple"}},
            "nearest on its list is 1320",
        ),
        (
            {"canvas": {"width": 1800, "height": 2880}, "export": {"store": "apple"}},
            "takes no picture of 1800",
        ),
        ({"canvas": {"preset": "app-store-6.9"}, "export": {"store": "Play"}}, "up to 2 times the shorter"),
        ({"canvas": {"width": 300, "height": 500}, "export": {"store": "play"}}, "sides from 320 to 3840"),
        (
            {"canvas": {"preset": "play-phone"}, "export": {"store": "play", "format": "webp"}},
            "export.format is webp",
        ),
        (
            {
                "canvas": {"preset": "play-phone"},
                "export": {"store": "play"},
                "appearance": {"backgroundColor": "transparent"},
            },
            "takes no transparency",
        ),
        ({"canvas": {"preset": "play-phone", "slices": 9}, "export": {"store": "play"}}, "up to 8 pictures"),
    ],
)
def test_the_rule_is_named(settings: dict[str, Any], said: str) -> None:
    found = faults(**settings)
    assert [path for path, _ in found] == ["settings.export.store"]
    assert said in found[0][1]


def test_files_may_be_too_large() -> None:
    assert stores.too_large(None, 10**9) is None
    assert stores.too_large("apple", 10**9) is None
    assert stores.too_large("play", 8_000_000) is None
    refused = stores.too_large("play", 8_100_000)
    assert refused
    assert "up to 8 MB, and the picture has 8.1 MB" in refused.message


def test_slices_are_as_wide_as_the_canvas_and_the_gap_lies_between() -> None:
    canvas = {"width": 100, "height": 200, "slices": 3, "gap": 11}
    settings = MergedSettings({"canvas": canvas, "export": {"scale": 1.5}}).resolve()
    assert settings.slice_size == (150, 300)
    assert settings.output_size == (482, 300)
    assert settings.cuts == ((0, 150), (166, 316), (332, 482))
    assert MergedSettings({}).resolve().cuts == ()


def test_slices_have_limits_together() -> None:
    wide = {"width": 4000, "height": 64, "slices": 5}
    assert [path for path, _ in faults(canvas=wide)] == ["settings.canvas.slices"]
    many = {"preset": "app-store-ipad-13", "slices": 10}
    path, said = faults(canvas=many)[0]
    assert path == "settings.canvas.slices"
    assert "larger than 40 megapixels" in said
