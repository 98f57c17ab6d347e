"""The sample screens that are shown if no screenshot is given."""

from __future__ import annotations

from functools import cache

from ..devices.described.description import Description
from ..devices.device import catalogue
from ..settings.schema import DEFAULT_DEVICE, Settings
from ..shipped import FRAMES

#: The owner of the samples, where screenshots have owners.
OWNER = "samples"
_PHONE, _TABLET, _DESKTOP, _BROWSER = "screenshot", "tablet", "desktop", "browser"
# By category of the catalogue and kind of description.
_OTHERS = {
    "tablet": _TABLET,
    "laptop": _DESKTOP,
    "desktop": _DESKTOP,
    "monitor": _DESKTOP,
    "tv": _DESKTOP,
    "console": _DESKTOP,
    "window": _BROWSER,
    "browser": _BROWSER,
    "card": _BROWSER,
}


def sample(settings: Settings) -> bytes:
    """The PNG of a sample screen that suits the settings' device in its orientation."""
    kind, (width, height) = _subject(settings)
    name = _OTHERS.get(kind, _PHONE)
    wide = settings.orientation.startswith("landscape") or (
        settings.orientation in ("auto", "natural") and width > height
    )
    return _read(_DESKTOP if wide and name in (_PHONE, _TABLET) else name)


def _subject(settings: Settings) -> tuple[str, tuple[int, int]]:
    """The kind of device, and the pixels of its screen."""
    if isinstance(settings.device, Description):
        return settings.device.kind, (settings.device.screen.width, settings.device.screen.height)
    name = DEFAULT_DEVICE if settings.device == "auto" else settings.device
    entry = catalogue().entries[name]
    return entry.category, entry.px


@cache
def _read(name: str) -> bytes:
    return (FRAMES / "samples" / f"{name}.png").read_bytes()
