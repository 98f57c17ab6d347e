"""Settings from a JSON file or from `--set path=value`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..errors import Detail, invalid
from ..settings.assignments import EXAMPLE, NO_PATH, assign
from ..settings.formats import WRITTEN
from ..settings.looks import LOOK_NAMES, LOOKS, Look, with_look
from ..settings.merge import CaptionTexts, merge
from ..settings.metadata import settings_in
from ..settings.templates import TEMPLATES, Template, templates

_EXPECTED = f"expected path=value such as {EXAMPLE}=-20"


class Assigned(NamedTuple):
    """Settings from assignments, and a fault for each text that is not an assignment."""

    settings: dict[str, Any]
    faults: list[Detail]


def read(file: Path, *, refusing_pictures: str = "") -> dict[str, Any]:
    """Read a JSON object or a picture's settings from a file, or from stdin for `-`; errors name the file.

    `refusing_pictures` is the error for a picture, where its settings cannot be used.
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        if any(one.matches(data) for one in WRITTEN):
            if refusing_pictures:
                raise invalid(f"{file}: {refusing_pictures}")
            return _in_picture(file, data)
        settings = orjson.loads(data)
    except OSError as error:
        raise invalid(f"{file}: cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise invalid(f"{file}: not JSON: {error}") from error
    if not isinstance(settings, dict):
        raise invalid(f"{file}: expected a JSON object with settings")
    return settings


def beneath(template: str | None, texts: CaptionTexts | None, look: str | None) -> dict[str, Any]:
    """The settings of a look over those of a one-device template; raises a 400 for other templates and
    unknown names."""
    base = _template(template).layer(texts) if template is not None else {}
    return with_look(base, _look(look)) if look is not None else merge({}, base)


def _template(name: str) -> Template:
    try:
        known = templates()[TEMPLATES.canonical(name)]
    except ValueError as error:
        raise invalid(f"--template: {error}") from error
    if known.devices:
        count = len(known.devices)
        raise invalid(
            f"--template {known.id}: takes {count} screenshots; use mockup scene --template {known.id}"
        )
    return known


def _look(name: str) -> Look:
    try:
        return LOOKS[LOOK_NAMES.canonical(name)]
    except ValueError as error:
        raise invalid(f"--look: {error}") from error


def _in_picture(file: Path, data: bytes) -> dict[str, Any]:
    settings = settings_in(data)
    if settings is None:
        raise invalid(f"{file}: this picture has no settings in it; see export.metadata")
    return settings


def assigned(assignments: Iterable[str]) -> Assigned:
    """Parse texts such as `deviceTransform.rotationY=-20`.

    A value is read as JSON. It is text if it is not valid JSON, or if the member takes text but not such
    JSON.
    """
    found = Assigned({}, [])
    for text in assignments:
        path, equals, value = text.partition("=")
        fault = assign(found.settings, path.strip(), value.strip()) if equals else NO_PATH
        if fault:
            found.faults.append(Detail(f"--set {text}", _EXPECTED if fault is NO_PATH else fault))
    return found
