"""Settings from a JSON file or from `--set path=value`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from service.errors import invalid
from service.models.formats import WRITTEN
from service.models.metadata import settings_in


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


def assigned(assignments: Iterable[str]) -> dict[str, Any]:
    """Parse texts such as `deviceTransform.rotationY=-20`; a value that is not JSON is a string."""
    settings: dict[str, Any] = {}
    for text in assignments:
        path, equals, value = text.partition("=")
        names = path.strip().split(".")
        if not equals or not all(names):
            raise invalid(f"--set {text}: expected path=value such as deviceTransform.rotationY=-20")
        place(settings, names, _value(value.strip()))
    return settings


def place(settings: dict[str, Any], names: list[str], value: Any) -> None:
    """Set a value at a path, creating objects on the way."""
    *groups, last = names
    for name in groups:
        below = settings.get(name)
        if not isinstance(below, dict):
            below = settings[name] = {}
        settings = below
    settings[last] = value


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
