"""Manifests: JSONL, CSV or Parquet files that describe one picture per row, read as a stream."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from os.path import splitext
from pathlib import Path
from typing import Any

import orjson

from ...errors import invalid
from ...limits import MANIFEST_LINE_BYTES
from ...settings.assignments import place
from ...settings.formats import BY_SUFFIX
from ...settings.merge import merge
from ...validation import messages
from ..settings_file import assigned
from . import parquet, places

ENDINGS = (".jsonl", ".csv", ".parquet")
MEMBERS = ("screenshot", "output", "device", "settings", "id", "type", "devices")
# In CSV and Parquet, these may be text in JSON.
_JSON = ("settings", "devices")
_EXPECTED = ", ".join(MEMBERS)


@dataclass(frozen=True, slots=True)
class Row:
    """A picture to render: paths and URLs as written, settings that override the run's, the caller's id.

    A scene has its members in place of a screenshot; they are not validated yet.
    """

    line: int
    screenshot: str | None
    output: str
    settings: Mapping[str, Any]
    id: str | None
    scene: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RowFault:
    """A fault of the row at a line, counted from 1; in Parquet, of the row of that number.

    `id` is the caller's.
    """

    line: int
    reason: str
    id: str | None = None


def read(file: Path) -> Iterator[Row | RowFault]:
    """The rows of a manifest in order, unreadable ones as faults; raises a 400 for another kind of file."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise invalid(f"{file}: a manifest's name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    readers = dict(zip(ENDINGS, (_json_rows, _csv_rows, _parquet_rows), strict=True))
    return readers[ending](file)


def _json_rows(file: Path) -> Iterator[Row | RowFault]:
    with file.open("rb") as lines:
        for number in count(1):
            line = lines.readline(MANIFEST_LINE_BYTES + 1)
            if not line:
                return
            if len(line) > MANIFEST_LINE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = lines.readline(MANIFEST_LINE_BYTES)
                yield RowFault(number, f"the line is longer than {MANIFEST_LINE_BYTES} bytes")
            elif line.strip():
                yield _json_row(number, line)


def _json_row(number: int, line: bytes) -> Row | RowFault:
    try:
        members = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return RowFault(number, f"not JSON: {error}")
    if not isinstance(members, dict):
        return RowFault(number, "expected a JSON object")
    return _row(number, members)


def _csv_rows(file: Path) -> Iterator[Row | RowFault]:
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
        # A longer line is cut, so that its rows have too few cells; csv itself limits the length of a cell.
        reader = csv.reader(iter(partial(lines.readline, MANIFEST_LINE_BYTES), ""), strict=True)
        header = next(reader, [])
        _check_columns(file, header)
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                yield RowFault(reader.line_num, f"not CSV: {error}")
                continue
            if cells is None:
                return
            if cells:
                yield _csv_row(reader.line_num, header, cells)


def _check_columns(file: Path, columns: list[str]) -> None:
    if unknown := [name for name in columns if name not in MEMBERS and not _is_path(name)]:
        raise invalid(f"{file}: unknown column {unknown[0]!r}; expected {_EXPECTED}, or a setting's path")
    if len(set(columns)) < len(columns):
        raise invalid(f"{file}: two columns have the same name")


def _is_path(name: str) -> bool:
    names = name.split(".")
    return len(names) > 1 and all(names)


def _csv_row(number: int, header: list[str], cells: list[str]) -> Row | RowFault:
    if len(cells) != len(header):
        return RowFault(number, f"expected {len(header)} cells, got {len(cells)}")
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        return RowFault(number, "not UTF-8")
    # An empty cell means that the member is not given.
    given = {name: cell for name, cell in zip(header, cells, strict=True) if cell}
    members: dict[str, Any] = {name: cell for name, cell in given.items() if name in MEMBERS}
    if fault := _parse_json(number, members):
        return fault
    # The names of these settings have been checked, so none of the assignments is at fault.
    over = assigned(f"{name}={cell}" for name, cell in given.items() if name not in MEMBERS).settings
    if "device" in members:
        members |= assigned([f"device={members['device']}"]).settings
    return _row(number, members, over)


def _parse_json(number: int, members: dict[str, Any]) -> RowFault | None:
    """Parse settings and devices that are JSON text."""
    for name in _JSON:
        if isinstance(members.get(name), str):
            try:
                members[name] = orjson.loads(members[name])
            except orjson.JSONDecodeError as error:
                return RowFault(number, f"{name}: not JSON: {error}")
    return None


def _parquet_rows(file: Path) -> Iterator[Row | RowFault]:
    columns, rows = parquet.read(file)
    _check_columns(file, columns)
    for number, given in enumerate(rows, 1):
        members = {name: value for name, value in given.items() if name in MEMBERS}
        over: dict[str, Any] = {}
        for name, value in given.items():
            if name not in MEMBERS:
                place(over, messages.parted(name), value)
        try:
            orjson.dumps(given)
        except orjson.JSONEncodeError as error:
            yield RowFault(number, str(error))
            continue
        yield _parse_json(number, members) or _row(number, members, over)


def _row(number: int, members: Mapping[str, Any], over: Mapping[str, Any] | None = None) -> Row | RowFault:
    """The row with these members; `over` are settings from columns of their own."""
    if unknown := [name for name in members if name not in MEMBERS]:
        return RowFault(number, f"unknown member {unknown[0]!r}; expected {_EXPECTED}")
    if members.get("type", "scene") not in ("screenshot", "scene", None):
        return RowFault(number, "type: expected screenshot or scene")
    scene = {name: members[name] for name in ("type", "devices") if members.get(name) is not None}
    if scene.get("type") == "screenshot" and "devices" not in scene:
        scene = {}
    if scene and members.get("screenshot") is not None:
        return RowFault(number, "screenshot: unused in a scene, whose devices have their own; leave it out")
    uses: tuple[places.Use, ...] = ("output",) if scene else ("screenshot", "output")
    for name in uses:
        path = members.get(name)
        if not isinstance(path, str) or not path:
            return RowFault(number, f"{name}: expected a path or a URL")
        if reason := places.fault(path, name):
            return RowFault(number, f"{name}: {reason}")
    id, settings = members.get("id"), members.get("settings")
    if id is not None and not isinstance(id, str | int):
        return RowFault(number, "id: expected a string or a whole number")
    if settings is not None and not isinstance(settings, dict):
        return RowFault(number, "settings: expected an object")
    output = members["output"]
    if splitext(output)[1].lower() not in BY_SUFFIX:
        return RowFault(number, f"output: a picture's name must end in one of {', '.join(BY_SUFFIX)}")
    settings = merge(settings or {}, over or {})
    if (device := members.get("device")) is not None:
        settings = merge(settings, {"device": device})
    screenshot = None if scene else members["screenshot"]
    return Row(number, screenshot, output, settings, None if id is None else str(id), scene or None)
