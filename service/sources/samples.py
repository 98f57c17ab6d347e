"""The sample screens that are shown if no screenshot is given."""

from __future__ import annotations

from functools import cache

from ..devices.categories import CATEGORIES
from ..devices.described.description import Description
from ..devices.device import Category, catalogue
from ..settings.schema import DEFAULT_DEVICE, Settings
from ..shipped import FRAMES

#: The owner of the samples, where screenshots have owners.
OWNER = "samples"
#: The categories of kinds of described devices that have another name.
CATEGORIES_OF_KINDS: dict[str, Category] = {"monitor": "desktop"}


def sample(settings: Settings) -> bytes:
    """The PNG of a sample screen that suits the settings' device in its orientation."""
    category, (width, height) = _subject(settings)
    name = CATEGORIES[category].sample
    wide = settings.orientation.startswith("landscape") or (
        settings.orientation in ("auto", "natural") and width > height
    )
    return _read("desktop" if wide and name in ("screenshot", "tablet") else name)


def _subject(settings: Settings) -> tuple[Category, tuple[int, int]]:
    """The category of the device, and the pixels of its screen."""
    if isinstance(settings.device, Description):
        kind, screen = settings.device.kind, settings.device.screen
        return CATEGORIES_OF_KINDS.get(kind, kind), (screen.width, screen.height)  # type: ignore[arg-type]
    name = DEFAULT_DEVICE if settings.device == "auto" else settings.device
    entry = catalogue().entries[name]
    return entry.category, entry.px


@cache
def _read(name: str) -> bytes:
    return (FRAMES / "samples" / f"{name}.png").read_bytes()
