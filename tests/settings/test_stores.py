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


#: The sizes on Apple's page, as width x height, of pictures and of app previews.
APPLE = """
1320x2868 1290x2796 1260x2736 1284x2778 1242x2688 1206x2622 1179x2556 1170x2532 1125x2436 1080x2340
1242x2208 750x1334 2868x1320 2796x1290 2736x1260 2778x1284 2688x1242 2622x1206 2556x1179 2532x1170
2436x1125 2340x1080 2208x1242 1334x750 640x1136 640x1096 1136x640 1136x600 640x960 640x920 960x640 960x600
2064x2752 2048x2732 1668x2420 1668x2388 1640x2360 1488x2266 1668x2224 2752x2064 2732x2048 2420x1668
2388x1668 2360x1640 2266x1488 2224x1668 1536x2048 1536x2008 768x1024 768x1004 2048x1536 2048x1496 1024x768
1024x748 2880x1800 2560x1600 1440x900 1280x800 422x514 410x502 416x496 396x484 368x448 312x390 3840x2160
1920x1080
"""
PREVIEWS = "886x1920 1920x886 1080x1920 1920x1080 1200x1600 1600x1200"


def sizes(text: str) -> set[tuple[int, int]]:
    return {(int(width), int(height)) for width, height in (one.split("x") for one in text.split())}


def test_the_app_store_takes_the_sizes_on_its_list() -> None:
    taken = {size for display in stores.APPLE for size in display.taken}
    assert taken == sizes(APPLE)
    for size in taken:
        assert not list(stores.refused("apple", size, kind="png", alpha=False))


@pytest.mark.parametrize(
    ("size", "count"),
    [
        ((320, 640), 0), ((320, 641), 1), ((319, 600), 1), ((3840, 1920), 0), ((3841, 1921), 1),
        ((1024, 500), 0), ((1024, 501), 1), ((1025, 500), 1), ((319, 3841), 2),
    ],
)  # fmt: skip
def test_google_play_takes_sizes_within_its_limits(size: tuple[int, int], count: int) -> None:
    assert len(list(stores.refused("play", size, kind="png", alpha=False))) == count


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({}, 0),
        ({"seconds": 15.0}, 0),
        ({"seconds": 14.9}, 1),
        ({"seconds": 30.0}, 0),
        ({"seconds": 30.1}, 1),
        ({"fps": 31}, 1),
        ({"kind": "gif"}, 1),
        ({"framed": True}, 1),
    ],
)
def test_app_previews_have_limits(given: dict[str, Any], count: int) -> None:
    one: dict[str, Any] = {"seconds": 20.0, "fps": 30, "kind": "mp4", "framed": False, **given}
    for size in sizes(PREVIEWS):
        assert len(list(stores.refused_preview(size, **one))) == count
    assert len(list(stores.refused_preview((886, 1921), **one))) == count + 1


@pytest.mark.parametrize(("store", "most"), [("apple", 10), ("play", 8)])
def test_listings_have_so_many_pictures(store: Any, most: int) -> None:
    size = {"apple": (1320, 2868), "play": (1080, 1920)}[store]
    for count in (most, most + 1):
        found = list(stores.refused(store, size, kind="png", alpha=False, count=count))
        assert len(found) == count - most


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
