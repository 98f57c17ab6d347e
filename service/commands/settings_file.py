"""Settings from a JSON file or from `--set path=value`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_origin

import orjson

from service.errors import Detail, invalid
from service.settings.formats import WRITTEN
from service.settings.metadata import settings_in
from service.settings.schema import Settings
from service.validation import messages


class Assigned(NamedTuple):
    """Settings from assignments, and a fault for each that is none."""

    settings: dict[str, Any]
    faults: list[Detail]


def read(file: Path) -> dict[str, Any]:
    """Read a JSON object or a picture's settings from a file, or from stdin for `-`; errors name the file."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        if any(one.matches(data) for one in WRITTEN):
            return _in_picture(file, data)
        settings = orjson.loads(data)
    except OSError as error:
        raise invalid(f"{file}: cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise invalid(f"{file}: not JSON: {error}") from error
    if not isinstance(settings, dict):
        raise invalid(f"{file}: expected a JSON object with settings")
    return settings


def _in_picture(file: Path, data: bytes) -> dict[str, Any]:
    settings = settings_in(data)
    if settings is None:
        raise invalid(f"{file}: this picture has no settings in it; see export.metadata")
    return settings


def assigned(assignments: Iterable[str]) -> Assigned:
    """Parse texts such as `deviceTransform.rotationY=-20`.

    A value is JSON, or text: where it is not JSON, and where the member takes text and no such JSON.
    """
    found = Assigned({}, [])
    for text in assignments:
        path, equals, value = text.partition("=")
        names = messages.parted(path.strip())
        if not (equals and all(name != "" for name in names)):
            fault = "expected path=value such as deviceTransform.rotationY=-20"
            found.faults.append(Detail(f"--set {text}", fault))
        elif not place(found.settings, names, _value(names, value.strip())):
            fault = "a list's items are numbered from 0 on, none left out"
            found.faults.append(Detail(f"--set {text}", fault))
    return found


def place(settings: dict[str, Any], names: list[int | str], value: Any) -> bool:
    """Set a value at a path, creating objects and lists on the way; False where items would be missing."""
    here: Any = settings
    for name, after in zip(names, [*names[1:], None], strict=True):
        if isinstance(name, int):
            if name > len(here):
                return False
            if name == len(here):
                here.append(None)
            below = here[name]
        else:
            below = here.get(name)
        if after is None:
            here[name] = value
        else:
            kind = list if isinstance(after, int) else dict
            if not isinstance(below, kind):
                below = here[name] = kind()
            here = below
    return True


def _value(names: list[int | str], text: str) -> Any:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = text
    _, field, _ = messages.locate(Settings, tuple(names))
    forms = messages.alternatives(field.annotation) if field else []
    if isinstance(value, str) and (int in forms or float in forms):
        # A number as JSON does not write it, such as +20 or .5, or in quotes.
        number = messages.numeral(value)
        return value if number is None else number
    textual = bool(forms) and all(form is str or get_origin(form) in (Literal, dict) for form in forms)
    return text if textual and isinstance(value, bool | int | float) else value
