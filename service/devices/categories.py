"""The categories of devices, a row each, with everything that depends on the category alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .device import Category

#: How a pose turns a device: in a hand, as an opened laptop, as a screen on a stand, as a watch on its closed
#: strap, or as a window.
Stance = Literal["held", "laptop", "standing", "strap", "window"]
#: The sample screens, `frames/samples/<name>.png`; `screenshot` is a phone's.
Sample = Literal["screenshot", "tablet", "desktop", "browser"]
#: The groups of devices from which screenshots come.
DeviceGroup = Literal["phone", "tablet", "desk"]


@dataclass(frozen=True, slots=True)
class CategoryFacts:
    """The properties that the devices of a category share.

    `example` is the id of a device that represents them. `sample` is the screen they show if there is no
    screenshot. Screenshots of `group` suit them, if it is not None. Pages are `pixel_ratio` screen pixels for
    a CSS pixel.
    """

    stance: Stance
    example: str
    sample: Sample
    group: DeviceGroup | None = None
    pixel_ratio: float = 1.0


CATEGORIES: Mapping[Category, CategoryFacts] = MappingProxyType(
    {
        "phone": CategoryFacts("held", "iphone-16-pro", "screenshot", "phone", 3.0),
        "tablet": CategoryFacts("held", "ipad-pro-11-m4", "tablet", "tablet", 2.0),
        "laptop": CategoryFacts("laptop", "macbook-pro-14", "desktop", "desk", 2.0),
        "desktop": CategoryFacts("standing", "monitor", "desktop", "desk"),
        "watch": CategoryFacts("strap", "apple-watch-series-10-46", "screenshot", pixel_ratio=2.0),
        "browser": CategoryFacts("window", "browser-chrome", "browser"),
        "tv": CategoryFacts("standing", "tv-55", "desktop"),
        "window": CategoryFacts("window", "window-macos", "browser"),
        "card": CategoryFacts("window", "card", "browser"),
        "foldable": CategoryFacts("held", "galaxy-z-fold-7", "screenshot", pixel_ratio=3.0),
        "console": CategoryFacts("held", "steam-deck-oled", "desktop"),
    }
)

#: Categories that stand by themselves in every picture; a watch does only if it is alone.
STANDING: tuple[Category, ...] = tuple(
    name for name, facts in CATEGORIES.items() if facts.stance in ("laptop", "standing")
)
#: Categories of flat windows, whose outline is drawn by their shadow and their line.
WINDOWS: tuple[Category, ...] = tuple(name for name, facts in CATEGORIES.items() if facts.stance == "window")
