"""`auto`: the device that a screenshot was taken on, or the one that is most like it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.models import origin
from service.models.devices import Device, Entry, catalogue
from service.models.origin import best

Size = tuple[int, int]
FIXED = [device for device in catalogue().values() if not device.fitted]
APPLES = [device for device in catalogue().values() if device.brand == "Apple"]


@pytest.mark.parametrize("device", FIXED, ids=[device.id for device in FIXED])
def test_a_screens_own_pixels_decide(device: Device) -> None:
    if device.brand == "Apple" and origin.origin(device.screen.px) == ("phone", False):
        pytest.skip("its screenshots have more pixels, and other phones have its screen's")
    assert sorted(best(device.screen.px).screen.px) == sorted(device.screen.px)
    if len(device.orientations) == 2:
        assert sorted(best(device.screen.px[::-1]).screen.px) == sorted(device.screen.px)


@pytest.mark.parametrize(
    "size",
    [
        (720, 1280), (1080, 1920), (1080, 2160), (1080, 2220), (1080, 2280), (1080, 2340), (1080, 2400),
        (1080, 2408), (1080, 2520), (1440, 2560), (1440, 2960), (1440, 3040), (1440, 3120), (1440, 3200),
        (1008, 2244), (1344, 2992), (1220, 2712), (1264, 2780), (360, 780), (540, 1170), (2340, 1080),
        (1080, 9000), (1216, 2640), (1212, 2616), (1280, 2856), (1080, 2424), (384, 832), (412, 892),
        (411, 891), (1260, 2800), (1440, 3168), (1200, 2670), (1440, 3216), (720, 1600), (3120, 1440),
    ],
)  # fmt: skip
def test_an_android_phones_screenshot_lands_in_no_iphone(size: Size) -> None:
    device = best(size)
    assert device.category in ("phone", "foldable")
    assert device.brand != "Apple"


@pytest.mark.parametrize("size", [*sorted(origin.PHONES), (402, 874), (393, 852), (603, 1311), (590, 1280),
                                  (2868, 1320), (1206, 9000)])  # fmt: skip
def test_an_iphones_screenshot_lands_in_an_iphone(size: Size) -> None:
    device = best(size)
    assert (device.category, device.brand) == ("phone", "Apple")


@pytest.mark.parametrize("size", [*sorted(origin.TABLETS), (834, 1210), (2360, 1640), (2048, 1536)])
def test_an_ipads_screenshot_lands_in_an_ipad(size: Size) -> None:
    assert best(size).category == "tablet"


@pytest.mark.parametrize(
    "size",
    [
        (1512, 982), (1440, 900), (1728, 1117), (1470, 956), (1800, 1169), (2560, 1664), (3456, 2234),
        (2940, 1912), (2268, 1473),
    ],
)  # fmt: skip
def test_a_macbooks_screenshot_lands_in_a_macbook(size: Size) -> None:
    device = best(size)
    assert (device.category, device.brand) == ("laptop", "Apple")


@pytest.mark.parametrize(
    ("size", "device"),
    [
        ((1512, 982), "macbook-pro-14"),
        ((1728, 1117), "macbook-pro-16"),
        ((2240, 1260), "imac-24"),
        ((1204, 753), "macbook-neo"),
    ],
)
def test_a_macs_points_name_the_mac(size: Size, device: str) -> None:
    assert best(size).id == device


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (2740, 1567), (1920, 1200)])
def test_other_wide_pages_land_in_a_window_of_their_shape(size: Size) -> None:
    assert best(size).id == "browser-chrome"


def test_no_desktop_is_laid_on_its_side() -> None:
    for size in ((1964, 3024), (800, 1280)):
        assert "portrait" in best(size).orientations


def test_ties_are_settled_by_size_then_year_then_name(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = catalogue()["iphone-16-pro"]

    def like(name: str, px: Size, year: int) -> Device:
        screen = phone.screen.model_copy(update={"px": px})
        return phone.model_copy(update={"id": name, "year": year, "screens": (screen,)})

    def chosen(*devices: Device, size: Size = (1170, 2532)) -> Any:
        return on_shelf(monkeypatch, *devices, size=size)[0]

    near, far = like("near", (1179, 2556), 2022), like("far", (1290, 2796), 2024)
    assert chosen(far, near) == "near"
    assert chosen(near, like("newer", (1179, 2556), 2023)) == "newer"
    assert chosen(near, like("again", (1179, 2556), 2022)) == "again"
    # Its own pixels count before everything else, in points nearly so.
    assert chosen(near, like("own", (1170, 2532), 2020)) == "own"
    assert chosen(near, like("own", (1170, 2532), 2020), size=(390, 844)) == "own"
    # But for another maker's phone, even one with an iPhone's pixels.
    mini = like("mini", (1080, 2340), 2021)
    other = like("other", (1080, 2400), 2020).model_copy(update={"brand": "Samsung"})
    assert chosen(mini, other, size=(1080, 2340)) == "other"
    assert chosen(mini, like("se", (750, 1334), 2022), size=(1080, 2340)) == "mini"


def test_windows_show_what_no_screen_is_known_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    window = catalogue()["browser-chrome-light"]

    def like(name: str, px: Size, **changed: Any) -> Device:
        screen = window.screen.model_copy(update={"px": px})
        return window.model_copy(update={"id": name, "screens": (screen,), **changed})

    monitor = like("monitor", (3840, 2160), category="desktop", year=2022, brand="Dell")
    handheld = like("television", (1280, 720), category="tv", year=2023)
    shelf = (monitor, handheld, window)
    first = [
        on_shelf(monkeypatch, *shelf, size=size)[0] for size in ((3840, 2160), (1920, 1080), (1280, 720))
    ]
    assert first == ["monitor", window.id, window.id]
    assert on_shelf(monkeypatch, monitor, handheld, size=(1280, 720))[0] == "television"


def on_shelf(monkeypatch: pytest.MonkeyPatch, *devices: Device, size: Size) -> list[str]:
    """The ids of a catalogue of these devices, best match first."""

    entries = {device.id: Entry.model_validate(device.model_dump()) for device in devices}
    monkeypatch.setattr(origin, "catalogue", lambda: SimpleNamespace(entries=entries))
    return [entry.id for entry in origin.ranked(size)]
