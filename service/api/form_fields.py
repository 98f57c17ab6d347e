"""The fields of a form as a request's members: by their names, and settings by their paths."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from ..errors import Detail, MockupError, refusal
from ..limits import FORM_BYTES
from ..settings.assignments import GAP, assign, place, value
from ..settings.merge import merge
from ..settings.schema import Settings
from ..validation import messages
from ..validation.names import nearest, plain
from . import json_body
from .form import FILE, FormPart
from .json_body import JSONBody

_SETTINGS = "settings"
# Fields of a scene's devices, and the files of their screenshots.
_DEVICE = re.compile(r"devices\[(0|[1-9][0-9]{0,3})\](?=\.|$)")
_DEVICE_FILE = re.compile(_DEVICE.pattern + rf"\.{FILE}")
_FIRST = f"devices[0].{FILE}"
_UNKNOWN_FILE = f"unknown file; send the screenshot as {FILE}, or in a scene as {_FIRST}"
TWO = "expected one screenshot, but a file is given too"


def request_in(parts: list[FormPart], model: type[BaseModel]) -> JSONBody:
    """The request that a form makes; raises a 400 that names every field at fault.

    A field's name is a member of `model`, or a path in `devices`, or else the path of a setting, which
    overrides the same setting in the field `settings`. Its value is read as JSON, and as text if it is not
    JSON or the member takes text.
    """
    sent: dict[str, Any] = {}
    own: dict[str, Any] = {}
    found: list[Detail] = []
    files = {part.name: part.content for part in parts if _is_screenshot(part)}
    known = messages.members(model)
    for part in sorted(parts, key=_order):
        if part.name == FILE and FILE in files:
            continue
        if _DEVICE.match(part.name) and not isinstance(sent.get("devices", []), list):
            # `devices` itself is at fault, and is reported.
            continue
        if part.name in files:
            if fault := _place_file(sent, part.name):
                found.append(Detail(part.name, fault))
            continue
        if part.is_file and (fault := _unfit_file(part, known)):
            found.append(Detail(part.name, fault))
            continue
        try:
            text = part.content.decode("utf-8")
        except UnicodeDecodeError:
            found.append(Detail(part.name, "expected text in UTF-8"))
            continue
        if part.name in known:
            sent[part.name] = value(model, [part.name], text, json_body.value)
        elif _DEVICE.match(part.name):
            names = messages.parted(part.name)
            if part.name.rpartition(".")[0] in files:
                found.append(Detail(part.name, TWO))
            elif not place(sent, names, value(model, names, text, json_body.value)):
                found.append(Detail(part.name, GAP))
        elif fault := _misnamed(part.name, known) or assign(own, part.name, text, json_body.value):
            found.append(Detail(part.name, fault))
    fields = frozenset(part.name for part in parts)
    for whole in (sent, {_SETTINGS: own}):
        found += (_named(fault, fields) for fault in json_body.faults(whole))
    if found:
        raise refusal(*found)
    if own and isinstance(sent.get(_SETTINGS), dict | None):
        sent[_SETTINGS] = merge(sent.get(_SETTINGS) or {}, own)
    return JSONBody(sent, {}, files, fields)


def _is_screenshot(part: FormPart) -> bool:
    if part.name == FILE and not part.is_file:
        # A JSON object would give a URL or an upload, as in a JSON body.
        return not part.content.lstrip().startswith(b"{")
    return part.name == FILE or (part.is_file and _DEVICE_FILE.fullmatch(part.name) is not None)


def _unfit_file(part: FormPart, known: Container[str]) -> str | None:
    """Why a file cannot be the value of a member."""
    if part.name not in known:
        return _UNKNOWN_FILE
    return f"expected at most {FORM_BYTES} bytes" if len(part.content) > FORM_BYTES else None


def _order(part: FormPart) -> tuple[int, int]:
    """A sort key: fields outside of devices come first, then each device's, outer before inner ones."""
    match = _DEVICE.match(part.name)
    return (int(match[1]), part.name.count(".")) if match else (-1, 0)


def _place_file(sent: dict[str, Any], name: str) -> str | None:
    """Give a device of a scene a screenshot that refers to the file; returns its fault, if any."""
    names = messages.parted(name)
    devices, number = sent.get("devices"), int(names[1])
    device = devices[number] if isinstance(devices, list) and number < len(devices) else None
    if isinstance(device, dict) and device.get(FILE) is not None:
        return TWO
    return None if place(sent, names, {"type": "base64", "src": name}) else GAP


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a form with the members of `model`; settings may also be fields of their own."""
    text: dict[str, Any] = {"type": "string"}
    file = text | {"contentMediaType": "application/octet-stream"}
    fields = {
        name: text | {"description": one.description}
        for name, one in messages.members(model).items()
        if not name.startswith((FILE, "type"))
    }
    return {
        "type": "object",
        "description": "Members as JSON or text. Any setting may be a field named by its path: canvas.width. "
        "So may members of a scene's devices, and files of their screenshots: devices[0].screenshot.",
        "properties": {FILE: file, _FIRST: file, "type": {"type": "string", "const": "scene"}, **fields},
        "oneOf": [
            {"required": [FILE], "properties": dict.fromkeys((_FIRST, "devices", "type"), False)},
            {"required": [_FIRST, "type"], "properties": {FILE: False}},
        ],
    }


def named(error: MockupError, sent: JSONBody) -> MockupError:
    """The error with paths of settings replaced by the names of the fields that gave them."""
    if not sent.fields:
        return error
    details = (
        replace(item, path=path) if (path := item.path.removesuffix(".src")) in sent.files else item
        for item in error.details
    )
    return error.about(*(_named(item, sent.fields) for item in details))


def _named(fault: Detail, fields: frozenset[str]) -> Detail:
    path = fault.path.removeprefix(f"{_SETTINGS}.")
    # Without a field `settings`, all settings have fields of their own, also those that are missing.
    if _SETTINGS not in fields or any(
        path == one or path.startswith((f"{one}.", f"{one}[")) or one.startswith(f"{path}.") for one in fields
    ):
        return Detail(path, fault.message)
    return fault


def _misnamed(name: str, known: dict[str, Any]) -> str | None:
    """The fault of a field whose name is neither a member nor a setting."""
    first, _, rest = name.replace("[", ".[", 1).partition(".")
    if first == _SETTINGS and rest:
        return f"a setting's field is named by its path: {rest}"
    if rest and first in known:
        return f"expected the whole {first} as JSON, in one field"
    if not rest and first not in messages.members(Settings):
        names = {plain(one): one for one in (*known, *messages.members(Settings))}
        close = nearest(first, names)
        expected = "expected a member of the request, or a setting's path such as canvas.width"
        return f"unknown field; did you mean {close}?" if close else f"unknown field; {expected}"
    return None
