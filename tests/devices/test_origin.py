"""`auto`: the device that a screenshot was taken on, or the most similar one."""

from __future__ import annotations

from service.devices import origin
from service.devices.content import Content
from service.devices.described.description import Description
from service.devices.described.making import described
from service.devices.device import Device, catalogue
from service.render.compose.shot import margins, place
from service.settings.scene import Fit
from tests.support.looped import looped

Size = tuple[int, int]


def best(size: Size, content: Content | None = None) -> Device:
    chosen = origin.best(size, content).device
    return described(chosen) if isinstance(chosen, Description) else catalogue()[chosen]


def lost(device: Device, size: Size) -> float:
    """The share of a screenshot's width or height that a device crops."""
    if device.fitted:
        return 0.0
    screen = device.screen.size
    if (size[0] > size[1]) != (screen[0] > screen[1]) and len(device.orientations) > 1:
        screen = screen[::-1]
    left, top, right, bottom = margins(place(size, screen, Fit()).crop)
    return max(left + right, top + bottom)


@looped("px", origin.DEFAULTS)
def test_a_declared_screen_is_shown_on_its_device(px: Size) -> None:
    choice = origin.DEFAULTS[px]
    assert isinstance(choice.device, str)
    device = catalogue()[choice.device]
    assert device.screen.px == px
    assert origin.best(px) == choice
    if len(device.orientations) == 2 and not device.fitted:
        assert origin.best(px[::-1]) in (choice, origin.DEFAULTS.get(px[::-1]))
    if choice.finish:
        assert choice.finish in [finish.name for finish in device.finishes]


#: Sizes of newer devices' screens for which `auto` still chooses an older device, whose screen shows such
#: screenshots as well.
SHOWN: dict[Size, origin.Choice] = {
    (1125, 2436): origin.Choice("iphone-14", "Midnight"),
    (828, 1792): origin.Choice("iphone-14", "Midnight"),
    (1264, 1680): origin.Choice("ipad-pro-13-m4", "Space Black"),
    (1920, 1200): origin.Choice("browser-chrome"),
    (1920, 1080): origin.Choice("browser-chrome"),
}


def test_every_screen_that_people_take_screenshots_of_is_declared() -> None:
    """A default device is declared for every screen, unless another device shows its screenshots well
    (`SHOWN`)."""
    kinds = ("phone", "tablet", "laptop", "desktop", "watch", "foldable")
    screens = {entry.px for entry in catalogue().entries.values() if entry.category in kinds}
    assert screens - set(SHOWN) <= set(origin.DEFAULTS)


@looped("size", SHOWN)
def test_a_new_device_takes_no_screenshot_that_another_shows_well(size: Size) -> None:
    assert size in {entry.px for entry in catalogue().entries.values()}
    assert origin.best(size) == SHOWN[size]
    if size[1] > size[0]:
        assert origin.best(size[::-1]) == SHOWN[size]


@looped(
    "size, device",
    [((1080, 2340), "galaxy-s25"), ((1440, 3120), "galaxy-s25-ultra"), ((1600, 2560), "galaxy-tab-s9")],
)
def test_devices_that_share_a_screen_leave_it_to_the_one_declared(size: Size, device: str) -> None:
    assert origin.best(size).device == device


def test_newer_devices_do_not_change_the_choice_of_auto() -> None:
    """Several devices have this screen, and `auto` chooses the declared one rather than the newest."""
    newer = [entry.id for entry in catalogue().entries.values() if entry.px == (1206, 2622)]
    assert "iphone-18-pro" in newer
    assert origin.best((1206, 2622)) == ("iphone-16-pro", "Black Titanium")


@looped("short", [60, 360, 719, 1080, 1440, 2001, 8000])
def test_no_screenshot_loses_more_than_three_per_cent(short: int) -> None:
    for percent in range(100, 700, 3):
        size = (short, round(short * percent / 100))
        for turned in (size, size[::-1]):
            assert lost(best(turned), turned) <= origin.CROPPED + 0.001, turned


@looped(
    "size",
    [
        (720, 1280), (1080, 1920), (1080, 2160), (1080, 2220), (1080, 2280), (1080, 2340), (1080, 2400),
        (1080, 2408), (1080, 2520), (1440, 2560), (1440, 2960), (1440, 3040), (1440, 3120), (1440, 3200),
        (1008, 2244), (1344, 2992), (1220, 2712), (1264, 2780), (360, 780), (540, 1170), (2340, 1080),
        (1080, 9000), (1216, 2640), (1212, 2616), (1280, 2856), (1080, 2424), (384, 832), (412, 892),
        (411, 891), (1260, 2800), (1440, 3168), (1200, 2670), (1440, 3216), (720, 1600), (3120, 1440),
    ],
)  # fmt: skip
def test_android_screenshots_get_no_iphone(size: Size) -> None:
    device = best(size)
    assert device.category in ("phone", "foldable") or device.fitted
    assert device.brand != "Apple"


#: Apple's screens, px, by a device that has the screen; those of Macs are in landscape.
IPHONES: dict[str, Size] = {
    "5": (640, 1136), "6": (750, 1334), "6 Plus": (1242, 2208), "X": (1125, 2436), "XR": (828, 1792),
    "XS Max": (1242, 2688), "12": (1170, 2532), "12 Pro Max": (1284, 2778), "14 Pro": (1179, 2556),
    "14 Pro Max": (1290, 2796), "16 Pro": (1206, 2622), "16 Pro Max": (1320, 2868), "Air": (1260, 2736),
}  # fmt: skip
IPADS: dict[str, Size] = {
    "mini 6": (1488, 2266), "Air 2": (1536, 2048), "7": (1620, 2160), "10": (1640, 2360),
    "Pro 10.5": (1668, 2224), "Pro 11": (1668, 2388), "Pro 11 M4": (1668, 2420),
    "Pro 12.9": (2048, 2732), "Pro 13 M4": (2064, 2752),
}  # fmt: skip
#: Sizes of Macs' screens, of which some are only offered as scaled ones.
MACS: tuple[Size, ...] = (
    (2304, 1440), (2408, 1506), (2560, 1600), (2560, 1664), (2880, 1800), (2880, 1864), (2940, 1912),
    (2992, 1934), (3024, 1964), (3360, 2100), (3420, 2214), (3456, 2234), (3600, 2338), (4480, 2520),
)  # fmt: skip


def test_sizes_of_apples_screens_are_known() -> None:
    for sizes, group in ((IPHONES.values(), "phone"), (IPADS.values(), "tablet"), (MACS, "desk")):
        for width, height in sizes:
            for factor in (1, 2, 3):
                if width % factor == height % factor == 0:
                    points = width // factor, height // factor
                    assert origin.origin(points) == (group, True), points
                    assert group == "desk" or origin.origin(points[::-1]) == (group, True), points
    assert set(IPHONES.values()) == origin.PHONES
    assert set(IPADS.values()) == origin.TABLETS
    assert {size[::-1] for size in MACS} == origin.MACS


def test_other_phones_of_an_iphones_shape_are_known_by_their_widths() -> None:
    for width in (360, 384, 411, 412, 480, 540, 720, 1080, 1212, 1216, 1440):
        assert origin.origin((width, round(width * 2622 / 1206))) == ("phone", False), width
    assert origin.origin((1000, round(1000 * 2622 / 1206))) == ("phone", True)


@looped(
    "size, group",
    [
        ((2000, 5000), "phone"), ((2000, 5001), "desk"), ((4700, 2000), "phone"), ((4701, 2000), "desk"),
        ((2000, 3300), "phone"), ((2000, 3299), "tablet"), ((3900, 2000), "phone"), ((3899, 2000), "desk"),
        ((2940, 2000), "desk"), ((2939, 2000), "tablet"), ((2500, 2000), "tablet"), ((2499, 2000), None),
        ((2000, 2500), "tablet"), ((2000, 2499), None),
    ],
)  # fmt: skip
def test_shapes_of_unknown_sizes_have_limits(size: Size, group: str | None) -> None:
    assert origin.origin(size).group == group


@looped("size", [*IPHONES.values(), (402, 874), (393, 852), (603, 1311), (590, 1280), (2868, 1320)])
def test_iphone_screenshots_get_an_iphone(size: Size) -> None:
    device = best(size)
    assert (device.category, device.brand) == ("phone", "Apple")


@looped("size", [*IPADS.values(), (834, 1210), (2360, 1640), (2048, 1536)])
def test_ipad_screenshots_get_an_ipad(size: Size) -> None:
    assert best(size).category == "tablet"


@looped(
    "size",
    [
        (1512, 982), (1440, 900), (1728, 1117), (1470, 956), (1800, 1169), (2560, 1664), (3456, 2234),
        (2940, 1912), (2268, 1473),
    ],
)  # fmt: skip
def test_macbook_screenshots_get_a_macbook(size: Size) -> None:
    device = best(size)
    assert (device.category, device.brand) == ("laptop", "Apple")


@looped(
    "size, device",
    [
        ((1512, 982), "macbook-pro-14"),
        ((1728, 1117), "macbook-pro-16"),
        ((2240, 1260), "imac-24"),
        ((1204, 753), "macbook-neo"),
    ],
)
def test_screenshots_in_points_identify_a_mac(size: Size, device: str) -> None:
    assert best(size).id == device


@looped(
    "size",
    [(1920, 1080), (1366, 768), (2740, 1567), (1920, 1200), (1280, 800), (1280, 720), (3440, 1440),
     (1280, 5000), (1206, 9000)],
)  # fmt: skip
def test_other_wide_pages_get_a_window_of_their_shape(size: Size) -> None:
    assert best(size).id == "browser-chrome"


def test_no_desktop_is_laid_on_its_side() -> None:
    for size in ((1964, 3024), (800, 1280)):
        assert "portrait" in best(size).orientations


@looped("size", [(1080, 1920), (720, 1280), (1440, 2560), (1080, 2160), (1080, 2220)])
def test_unknown_tall_shapes_get_a_described_phone(size: Size) -> None:
    device = best(size)
    assert (device.id, device.category) == ("custom", "phone")
    assert lost(device, size) < 0.001


def test_all_sizes_of_a_shape_share_a_device() -> None:
    assert best((1080, 1920)) == best((720, 1280))


@looped("size", [(1080, 1080), (2000, 1700), (1000, 1200)])
def test_nearly_square_pictures_are_cards(size: Size) -> None:
    assert best(size).id == "card"


def test_transparent_corners_make_a_card_unless_the_size_is_a_screens() -> None:
    window = Content((1920, 1080), (100, 80, 1720, 900), True, 20)
    assert best((1920, 1080), window).id == "card"
    assert best((1920, 1080), Content((1920, 1080), (0, 0, 1920, 1080), True, 20)).id == "card"
    # Simulators round the corners of screenshots.
    assert best((1206, 2622), Content((1206, 2622), (0, 0, 1206, 2622), True, 180)).id == "iphone-16-pro"


def test_a_transparent_screenshot_gets_the_device_of_its_size() -> None:
    empty = Content((1206, 2622), (0, 0, 0, 0))
    assert best(empty.size, empty).id == "iphone-16-pro"
