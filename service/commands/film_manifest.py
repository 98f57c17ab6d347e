"""Many films listed in one file, one JSON object per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from ..config import Config
from ..errors import Detail, MockupError, invalid, refusal
from . import film
from .film import FilmTask


def read(
    file: Path, layers: Sequence[dict[str, Any]], faults: list[Detail], config: Config
) -> list[FilmTask]:
    """The films of a manifest, whose members override `layers`; raises a 400 for the faults of all lines.

    Paths start at the manifest's folder.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise invalid(f"{file}: cannot be read: {error.strerror}") from error
    found, rows = list(faults), list[FilmTask]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(_row(file.parent, orjson.loads(line), layers, config))
        except orjson.JSONDecodeError as error:
            found.append(Detail(f"line {number}", f"not JSON: {error}"))
        except MockupError as error:
            found += [
                Detail(f"line {number}{one.path and ', '}{one.path}", one.message)
                for one in error.details or (Detail("", error.message),)
            ]
    written = Counter(row.place.target.resolve() for row in rows)
    found += [Detail(str(one), "is written by two lines") for one, times in written.items() if times > 1]
    if found:
        raise refusal(*found)
    if not rows:
        raise invalid(f"{file}: names no films")
    return rows


def _row(folder: Path, given: Any, layers: Sequence[dict[str, Any]], config: Config) -> FilmTask:
    if not isinstance(given, dict):
        raise invalid("expected an object")
    recording, output = given.get("recording"), given.get("output")
    part = {"src": recording} if isinstance(recording, str) else recording
    source = part.get("src") if isinstance(part, dict) else part
    missing = [
        Detail(path, "expected a path")
        for path, value in (("recording", source), ("output", output))
        # Devices may have recordings of their own.
        if not isinstance(value, str) and not (path == "recording" and value is None and _own(given))
    ]
    if missing:
        raise refusal(*missing)
    place = film.files(None if source is None else str(folder / source), str(folder / str(output)))
    members = {name: value for name, value in given.items() if name != "output"}
    members["recording"] = {name: value for name, value in (part or {}).items() if name != "src"}
    # Without `settings`, members that films do not have would be taken for settings.
    layers = (*layers, film.anchored({"settings": {}, **members}, folder))
    return film.request(place, layers, [], config)


def _own(given: dict[str, Any]) -> bool:
    """Whether any device has a recording or a screenshot of its own."""
    devices = given.get("devices")
    listed = devices if isinstance(devices, list) else []
    return any(isinstance(one, dict) and ("recording" in one or "screenshot" in one) for one in listed)
