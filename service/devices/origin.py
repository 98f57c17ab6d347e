"""`auto`: chooses a device for a screenshot by its size and its transparent parts.

Every choice is declared here, so none changes when the catalogue grows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from .categories import CATEGORIES, DeviceGroup
from .content import Content
from .described.description import Description
from .device import Device, Entry, catalogue

Size = tuple[int, int]

APPLE = "Apple"
WINDOW, CARD = "browser-chrome", "card"

# The share of a screenshot's width or height that a chosen device crops at most.
CROPPED = 0.03


class Choice(NamedTuple):
    """A device of the catalogue or a described one, and the name of its finish if it is not the first."""

    device: str | Description
    finish: str | None = None


#: The representative device for a screen, by width and height in px in its natural orientation. The first
#: of equally good ones is taken. Entries are added for screens that no other device shows well, and existing
#: ones stay as they are.
DEFAULTS: Mapping[Size, Choice] = MappingProxyType(
    {
        (1206, 2622): Choice("iphone-16-pro", "Black Titanium"),
        (1320, 2868): Choice("iphone-16-pro-max", "Black Titanium"),
        (1179, 2556): Choice("iphone-16", "Black"),
        (1290, 2796): Choice("iphone-16-plus", "Black"),
        (1170, 2532): Choice("iphone-14", "Midnight"),
        (1284, 2778): Choice("iphone-14-plus", "Midnight"),
        (1260, 2736): Choice("iphone-air", "Space Black"),
        (750, 1334): Choice("iphone-se-3", "Midnight"),
        (1080, 2340): Choice("galaxy-s25", "Silver Shadow"),
        (1440, 3120): Choice("galaxy-s25-ultra", "Titanium Gray"),
        (1080, 2424): Choice("pixel-9", "Obsidian"),
        (1280, 2856): Choice("pixel-9-pro", "Obsidian"),
        (1080, 2400): Choice("pixel-8", "Obsidian"),
        (1344, 2992): Choice("pixel-8-pro", "Obsidian"),
        (1260, 2800): Choice("nothing-phone-3", "Black"),
        (1440, 3168): Choice("oneplus-13", "Black Eclipse"),
        (1200, 2670): Choice("xiaomi-15", "Black"),
        (1080, 2520): Choice("galaxy-z-flip-7", "Jet Black"),
        (1968, 2184): Choice("galaxy-z-fold-7", "Jet Black"),
        (2076, 2152): Choice("pixel-10-pro-fold", "Moonstone"),
        (1640, 2360): Choice("ipad-air-11", "Space Gray"),
        (1668, 2420): Choice("ipad-pro-11-m4", "Space Black"),
        (2048, 2732): Choice("ipad-air-13", "Space Gray"),
        (2064, 2752): Choice("ipad-pro-13-m4", "Space Black"),
        (1488, 2266): Choice("ipad-mini", "Space Gray"),
        (1600, 2560): Choice("galaxy-tab-s9", "Graphite"),
        (1848, 2960): Choice("galaxy-tab-s10-ultra", "Moonstone Gray"),
        (2880, 1920): Choice("surface-pro-11", "Platinum"),
        (1600, 2440): Choice("tablet", "Graphite"),
        (3024, 1964): Choice("macbook-pro-14", "Space Black"),
        (3456, 2234): Choice("macbook-pro-16", "Space Black"),
        (2560, 1664): Choice("macbook-air-13-m3", "Midnight"),
        (2880, 1864): Choice("macbook-air-15", "Midnight"),
        (2408, 1506): Choice("macbook-neo", "Silver"),
        (4480, 2520): Choice("imac-24", "Silver"),
        (5120, 2880): Choice("studio-display", "Silver"),
        (2560, 1600): Choice("dell-xps-13", "Graphite"),
        (2304, 1536): Choice("surface-laptop-13-8", "Platinum"),
        (2880, 1800): Choice("thinkpad-x1-carbon", "Black"),
        (2240, 1400): Choice("laptop", "Silver"),
        (3840, 2160): Choice("dell-ultrasharp-27", "Platinum Silver"),
        (2560, 1440): Choice("monitor", "Black"),
        (1280, 800): Choice(WINDOW),
        (416, 496): Choice("apple-watch-series-10-46", "Jet Black"),
        (374, 446): Choice("apple-watch-series-10-42", "Jet Black"),
        (396, 484): Choice("apple-watch-series-9-45", "Midnight"),
        (352, 430): Choice("apple-watch-series-9-41", "Midnight"),
        (368, 448): Choice("apple-watch-se-3", "Midnight"),
        (422, 514): Choice("apple-watch-ultra-3", "Natural Titanium"),
        (410, 502): Choice("apple-watch-ultra-2", "Natural Titanium"),
        (480, 480): Choice("galaxy-watch-8", "Graphite"),
        (400, 480): Choice("watch", "Black"),
    }
)

# Apple's screens are a closed list, by short and long side in px; other makers' are not.
PHONES: frozenset[Size] = frozenset(
    {
        (640, 1136), (750, 1334), (828, 1792), (1125, 2436), (1170, 2532), (1179, 2556), (1206, 2622),
        (1242, 2208), (1242, 2688), (1260, 2736), (1284, 2778), (1290, 2796), (1320, 2868),
    }
)  # fmt: skip
TABLETS: frozenset[Size] = frozenset(
    {
        (1488, 2266), (1536, 2048), (1620, 2160), (1640, 2360), (1668, 2224), (1668, 2388), (1668, 2420),
        (2048, 2732), (2064, 2752),
    }
)  # fmt: skip
MACS: frozenset[Size] = frozenset(
    {
        (1440, 2304), (1600, 2560), (1664, 2560), (1800, 2880), (1864, 2880), (1912, 2940), (1964, 3024),
        (1934, 2992), (2100, 3360), (2214, 3420), (2234, 3456), (2338, 3600), (1506, 2408),
        (2520, 4480),
    }
)  # fmt: skip
FACTORS = (1, 2, 3)  # a screen's px per point; some tools take screenshots in points

# Widths of other makers' phones, in px and in points, some of whose screenshots have an iPhone's shape.
WIDTHS = frozenset({360, 384, 411, 412, 480, 540, 720, 1080, 1212, 1216, 1440})
SHAPES = tuple(long / short for short, long in PHONES if long / short > 2)
# Aspect ratios of the screens of laptops with a notch, which no other maker's screens have.
NOTCHED = tuple(long / short for short, long in MACS if long / short < 1.55)
HAIR = 0.003  # relative difference in shape that scaling may cause

# Long side over short side. Longer pictures than a phone's are scrolled pages or from very wide monitors, and
# squarer ones than a tablet's are from no screen. Phones are slimmer than any tablet, and desktop screens are
# in between.
LONGEST, LONGEST_LYING, PHONE, PHONE_LYING, DESK, TABLET = 2.5, 2.35, 1.65, 1.95, 1.47, 1.25

# The smallest side of a described device of any shape, px, and the largest that descriptions take.
FINE, MOST = 720, 8192
# The radius of a described phone's or tablet's corners, as a share of its shorter side: small, because older
# screens have content in their corners.
ROUND: Mapping[DeviceGroup, float] = MappingProxyType({"phone": 0.05, "tablet": 0.025})


class Origin(NamedTuple):
    """The group of devices a screenshot is from, and whether the maker is Apple (None if unknown)."""

    group: DeviceGroup | None
    apple: bool | None


def origin(size: Size) -> Origin:
    """The origin of a screenshot of `size` px, by its shape alone if the size is not a known one."""
    short, long = sorted(size)
    lying = size[0] > size[1]
    sizes = {(short * factor, long * factor) for factor in FACTORS}
    if sizes & PHONES:
        return Origin("phone", True)
    if sizes & TABLETS:
        return Origin("tablet", True)
    if lying and sizes & MACS:
        return Origin("desk", True)
    shape = long / short
    if shape > (LONGEST_LYING if lying else LONGEST):
        return Origin("desk", None)
    if shape >= (PHONE_LYING if lying else PHONE):
        return Origin("phone", _alike(shape, SHAPES) and short not in WIDTHS)
    if lying and shape >= DESK:
        return Origin("desk", True if _alike(shape, NOTCHED) else None)
    return Origin("tablet" if shape >= TABLET else None, None)


def _alike(shape: float, others: tuple[float, ...]) -> bool:
    return any(abs(shape / other - 1) < HAIR for other in others)


def best(size: Size, content: Content | None = None) -> Choice:
    """The device for a screenshot of `size` px; `content` is the screenshot's content if its corners are
    transparent.

    The device crops at most `CROPPED` of any screenshot.
    """
    exact = _natural(size)
    if content and (exact is None or 0 < content.margin < 1):
        return Choice(CARD)
    if exact:
        return exact
    for factor in FACTORS[1:]:
        points = _natural((size[0] * factor, size[1] * factor))
        if points and _in_points(points):
            return points
    group, apple = origin(size)
    if group is None:
        return Choice(CARD)
    if group == "desk" and not apple:
        return Choice(WINDOW)
    alike = [px for px, choice in DEFAULTS.items() if _suits(choice, group, apple)]
    nearest = min(alike, key=lambda px: _loss(px, size))
    if _loss(nearest, size) <= CROPPED:
        return DEFAULTS[nearest]
    return Choice(WINDOW) if group == "desk" else _generic(group, size)


def suited(size: Size, content: Content | None, shown: Device) -> str:
    """The name of the device that `best` chooses; empty if that device is shown already."""
    device = best(size, content).device
    if isinstance(device, Description):
        return f"a {device.kind} of its shape"
    return "" if device == shown.id else device


def order(size: Size) -> dict[str, tuple[bool, int, str]]:
    """Keys that sort the catalogue's devices, by id: the one for `size` px first, then the newest."""
    first = best(size).device
    return {entry.id: (entry.id != first, -(entry.year or 0), entry.id) for entry in _entries().values()}


def _entries() -> Mapping[str, Entry]:
    return catalogue().entries


def _natural(size: Size) -> Choice | None:
    """The device whose screen has exactly these pixels, in one of its orientations."""
    if size in DEFAULTS:
        return DEFAULTS[size]
    turned = DEFAULTS.get((size[1], size[0]))
    turns = turned and not _entry(turned).fitted and len(_entry(turned).orientations) > 1
    return turned if turns else None


def _in_points(choice: Choice) -> bool:
    """Whether a screenshot of half or a third of a device's pixels identifies the device.

    The halves and thirds of other monitors are common page sizes.
    """
    entry = _entry(choice)
    return entry.brand == APPLE or entry.category in ("phone", "tablet", "foldable")


def _entry(choice: Choice) -> Entry:
    assert isinstance(choice.device, str)
    return _entries()[choice.device]


def _suits(choice: Choice, group: DeviceGroup, apple: bool | None) -> bool:
    entry = _entry(choice)
    return CATEGORIES[entry.category].group == group and apple in (None, entry.brand == APPLE)


def _loss(px: Size, size: Size) -> float:
    """The share of a screenshot that a screen crops; either may be turned."""
    (a, b), (short, long) = sorted(px), sorted(size)
    ratio = (long / short) / (b / a)
    return 1 - min(ratio, 1 / ratio)


def _generic(group: DeviceGroup, size: Size) -> Choice:
    """A device of a screenshot's own shape, the same for all sizes of that shape."""
    short, long = sorted(size)
    most = math.gcd(short, long)
    short, long = short // most, long // most
    times = max(math.ceil(FINE / short), 1)
    less = min(1.0, MOST / (long * times))
    width, height = round(short * times * less), round(long * times * less)
    screen = {"width": width, "height": height, "cornerRadius": round(ROUND[group] * width)}
    return Choice(Description.model_validate({"kind": group, "screen": screen}))
