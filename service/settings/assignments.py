"""Settings given one by one, as a path and a text: `deviceTransform.rotationY` and `-20`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_origin

import orjson
from pydantic import BaseModel

from ..validation import messages
from .schema import Settings

EXAMPLE = "deviceTransform.rotationY"
NO_PATH = f"expected a setting's path such as {EXAMPLE}"
GAP = "a list's items are numbered from 0 on, none left out"


def assign(
    settings: dict[str, Any], path: str, text: str, read: Callable[[str], Any] = orjson.loads
) -> str | None:
    """Set the value of `text` at a path; returns a message if the path is wrong.

    `read` parses JSON, or raises ValueError.
    """
    names = messages.parted(path)
    if not all(name != "" for name in names):
        return NO_PATH
    return None if place(settings, names, value(Settings, names, text, read)) else GAP


def place(settings: dict[str, Any], names: list[int | str], value: Any) -> bool:
    """Set a value at a path, creating objects and lists on the way; False if a list would have gaps."""
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


def value(
    model: type[BaseModel], names: list[int | str], text: str, read: Callable[[str], Any] = orjson.loads
) -> Any:
    """The value of a text at a path of `model`: JSON, or the text itself.

    The text itself is the value if it is not JSON, or if the member takes text but not this JSON.
    """
    try:
        found = read(text)
    except ValueError:
        found = text
    _, field, _ = messages.locate(model, tuple(names))
    forms = messages.alternatives(field.annotation) if field else []
    if isinstance(found, str) and (int in forms or float in forms):
        # A number in a form that JSON does not allow, such as +20 or .5, or in quotes.
        number = messages.numeral(found)
        return found if number is None else number
    textual = bool(forms) and all(form is str or get_origin(form) in (Literal, dict) for form in forms)
    return text if textual and isinstance(found, bool | int | float) else found
