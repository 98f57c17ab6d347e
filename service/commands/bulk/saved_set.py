"""The store set of a saved project, as the file that `mockup set` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .store_set import FOLDERS


def set_file(settings: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """The members of the file; screenshots are in `shots` under the names of the screens."""
    saved, devices = parts.get("set", {}), parts.get("devices", [])
    texts = [caption["text"] for caption in settings.get("captions", ())]
    numbered = "-{device}" if len(devices) > 1 else ""
    made = {
        "output": "pictures",
        "screenshot": f"shots/{{screen}}{numbered}.png",
        "locales": saved.get("locales") or [settings.get("language", "en")],
        "settings": {name: value for name, value in settings.items() if name != "language"},
        "screens": saved.get("screens") or [{"name": "home", "captions": texts}],
        "sizes": [_size(one) for one in saved.get("sizes") or [{"name": "picture"}]],
    }
    return made | {"devices": devices} if devices else made


def _size(saved: Mapping[str, Any]) -> dict[str, Any]:
    made = {**saved, "layout": _layout(saved.get("preset", ""))}
    # In the file, `device` is the name of a catalogue device; a described one belongs to the settings.
    if isinstance(device := saved.get("device"), Mapping):
        del made["device"]
        made["settings"] = {"device": device}
    return made


def _layout(preset: str) -> str:
    if preset.startswith("app-store"):
        return "deliver"
    return "supply" if preset in FOLDERS else "flat"
