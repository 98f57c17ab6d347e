"""Where a screenshot was taken, judging by its size, and the device of the catalogue that suits it best."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from service.models.devices import Category, Device, Entry, catalogue

Size = tuple[int, int]
Rank = tuple[bool, bool, int, bool, bool, bool, float, float, int, str]

APPLE = "Apple"

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
# Those of laptops with a notch, which no other maker's screen has.
NOTCHED = tuple(long / short for short, long in MACS if long / short < 1.55)
HAIR = 0.003  # relative difference in shape that scaling may cause

LONGEST = 2.5  # beyond any screen's shape: a scrolled page

# Long side over short side: phones are slimmer than any tablet, and desktop screens are in between.
PHONE, PHONE_LYING, DESK = 1.65, 1.95, 1.47

# A category that is not listed is a group of its own, which a shape never suggests: a television is chosen
# only for exactly its pixels.
GROUPS: dict[Category, str] = {"laptop": "desk", "desktop": "desk", "browser": "desk"}
HELD: frozenset[Category] = frozenset(
    {"phone", "tablet", "foldable"}
)  # a wide screenshot may be from a turned one
WINDOWS: frozenset[Category] = frozenset({"browser"})  # as wide and high as what they show


class Origin(NamedTuple):
    """The group of devices a screenshot is from, and whether the maker is Apple (None if unknown)."""

    group: Literal["phone", "tablet", "desk"]
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
    if shape >= (PHONE_LYING if lying else PHONE):
        alike = _alike(shape, SHAPES) and short not in WIDTHS
        scrolled = shape > LONGEST and any(short == width for width, _ in PHONES)
        return Origin("phone", alike or scrolled)
    if lying and shape >= DESK:
        return Origin("desk", True if _alike(shape, NOTCHED) else None)
    return Origin("tablet", None)


def _alike(shape: float, others: tuple[float, ...]) -> bool:
    return any(abs(shape / other - 1) < HAIR for other in others)


def best(size: Size) -> Device:
    """The device whose screen best matches a screenshot of `size` px; see `ranked`."""
    return catalogue()[ranked(size)[0].id]


def ranked(size: Size) -> list[Entry]:
    """The catalogue's devices, best match for a screenshot of `size` px first.

    Criteria in order: it can be turned to match; it is no iPhone for another maker's phone; its screen has
    exactly these pixels; it is from the group, then the maker, that the size suggests; the size is its
    screen's in points; its screen's shape is nearest (to a per cent), then its number of pixels; it is the
    newest; its id comes first. A window takes the shape of any screenshot that could be from one, but comes
    after the computers, tablets and phones that have exactly these pixels.
    """
    found = origin(size)
    short, long = sorted(size)

    def rank(device: Entry) -> Rank:
        a, b = sorted(device.px)
        group = GROUPS.get(device.category, device.category)
        likely = group == found.group or device.category in HELD
        # What takes any shape has no pixels of its own.
        misfit = 2 if device.fitted or (a, b) != (short, long) else 1 - likely
        if device.category in WINDOWS and found == Origin("desk", None):
            a, b, misfit = short, long, 1
        turned = (size[0] > size[1]) != (device.px[0] > device.px[1])
        apple = device.brand == APPLE
        foreign = found.apple is not None and apple != found.apple
        return (
            turned and short != long and len(device.orientations) < 2,
            foreign and apple,
            misfit,
            group != found.group,
            foreign,
            (a, b) not in [(short * factor, long * factor) for factor in FACTORS],
            round(abs(math.log((b / a) / (long / short))), 2),
            round(abs(math.log((a * b) / (short * long))), 6),
            -(device.year or 0),
            device.id,
        )

    return sorted(catalogue().entries.values(), key=rank)
