"""The fields of a form as a request's members: by their names, and settings by their paths."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from ..errors import Detail, MockupError, refusal
from ..limits import FORM_BYTES
from ..settings.assignments import assign, value
from ..settings.merge import merge
from ..settings.schema import Settings
from ..validation import messages
from ..validation.names import nearest, plain
from . import json_body
from .form import FILE, Part
from .json_body import JSONBody

_SETTINGS = "settings"


def request_in(parts: list[Part], model: type[BaseModel]) -> JSONBody:
    """The request that a form makes; raises a 400 that names every field at fault.

    A field named by a member of `model` is that member, any other the setting with that path, which goes over
    the same one in `settings`. Texts are JSON, or text where they are not JSON or the member takes text.
    """
    sent: dict[str, Any] = {}
    own: dict[str, Any] = {}
    found: list[Detail] = []
    file = next((part for part in parts if part.name == FILE), None)
    if file is not None and not file.is_file and file.content.lstrip().startswith(b"{"):
        # A URL or an upload, as in JSON.
        file = None
    known = messages.members(model)
    for part in parts:
        if part is file:
            continue
        if part.is_file and not (part.name in known and len(part.content) <= FORM_BYTES):
            found.append(Detail(part.name, f"expected no file but {FILE}, and perhaps one of settings"))
            continue
        try:
            text = part.content.decode("utf-8")
        except UnicodeDecodeError:
            found.append(Detail(part.name, "expected text in UTF-8"))
            continue
        if part.name in known:
            sent[part.name] = value(model, [part.name], text, json_body.value)
        elif fault := _misnamed(part.name, known) or assign(own, part.name, text, json_body.value):
            found.append(Detail(part.name, fault))
    fields = frozenset(part.name for part in parts)
    for whole in (sent, {_SETTINGS: own}):
        found += (_named(fault, fields) for fault in json_body.faults(whole))
    if found:
        raise refusal(*found)
    if own and isinstance(sent.get(_SETTINGS), dict | None):
        sent[_SETTINGS] = merge(sent.get(_SETTINGS) or {}, own)
    return JSONBody(sent, {}, None if file is None else file.content, fields)


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a form with the members of `model`; settings may also be fields of their own."""
    text: dict[str, Any] = {"type": "string"}
    fields = {
        name: text | {"description": one.description}
        for name, one in messages.members(model).items()
        if not name.startswith((FILE, "type"))
    }
    return {
        "type": "object",
        "description": "Members as JSON or text. Any setting may be a field named by its path: canvas.width.",
        "properties": {FILE: text | {"contentMediaType": "application/octet-stream"}, **fields},
        "required": [FILE],
    }


def named(error: MockupError, sent: JSONBody) -> MockupError:
    """The error with every setting that has a field of its own called by that field's name."""
    return error.about(*(_named(item, sent.fields) for item in error.details)) if sent.fields else error


def _named(fault: Detail, fields: frozenset[str]) -> Detail:
    path = fault.path.removeprefix(f"{_SETTINGS}.")
    if any(
        path == one or path.startswith((f"{one}.", f"{one}[")) or one.startswith(f"{path}.") for one in fields
    ):
        return Detail(path, fault.message)
    return fault


def _misnamed(name: str, known: dict[str, Any]) -> str | None:
    """What is wrong with a field that is named neither by a member nor by a setting."""
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
