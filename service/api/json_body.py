"""Parses a request body as a strict JSON object, leaving long strings in place.

Only a base64 screenshot is large. Strings longer than `LONG` bytes are therefore cut out by position before
parsing, and the rest must be small.
"""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import orjson

from ..errors import Detail, MockupError, invalid
from ..limits import JSON_BACKSLASHES, JSON_DEPTH, JSON_MEMBERS, JSON_REST, JSON_STRINGS
from .media_type import not_json

LONG = 4096
_TOO_MANY = f"more than {JSON_MEMBERS} members and items in all"
_STEP = 256 * 1024
_LOW_SURROGATE = re.compile(rb"\\u[dD][c-fC-F]")
_QUOTE, _BACKSLASH = b'"', ord("\\")
# The unguessable placeholder for a long text while the rest is parsed.
_MARK = f"long text {secrets.token_hex(16)} "

LongTexts = Mapping[str, memoryview]


class _NotJSONError(Exception):
    """The parser's message."""


@dataclass(frozen=True, slots=True)
class JSONBody:
    """The object; a long screenshot is replaced by a key of `texts`, which has its UTF-8 bytes.

    If it comes from a form, it has the `files` of the screenshots by their fields' names, and the names of
    all `fields`.
    """

    value: dict[str, Any]
    texts: LongTexts
    files: Mapping[str, bytearray] = field(default_factory=dict)
    fields: frozenset[str] = frozenset()


def parse(body: bytes | bytearray) -> JSONBody:
    """Parse a JSON object; raises a 400 for anything else, including duplicate members."""
    try:
        rest, texts = _cut(body)
        value = _Rest(texts).parsed(rest)
    except _NotJSONError as error:
        raise invalid(not_json(body, str(error))) from None
    if not isinstance(value, dict):
        raise invalid("The body must be a JSON object")
    found = list(faults(value, texts))
    if found:
        raise invalid(f"{found[0].path}: {found[0].message}".removeprefix(": "), *found)
    return JSONBody(value, texts)


def _cut(body: bytes | bytearray) -> tuple[bytes, dict[str, memoryview]]:
    """Replace each long text with a placeholder; returns the rest, and the texts by placeholder."""
    view, texts = memoryview(body), dict[str, memoryview]()
    pieces: list[bytes | memoryview] = []
    size = done = at = 0
    for _ in range(JSON_STRINGS):
        start = body.find(_QUOTE, at)
        if start < 0:
            break
        end = _end(body, start + 1)
        at = end + 1
        if end - start > LONG:
            mark = f"{_MARK}{len(texts)}"
            texts[mark] = _unescaped(body, start + 1, end)
            pieces += (view[done : start + 1], mark.encode())
            size += start + 1 - done
            done = end
    else:
        raise _too_many()
    size += len(body) - done
    if size > JSON_REST:
        raise invalid(f"The body has more than {JSON_REST} bytes besides its screenshot")
    return b"".join([*pieces, view[done:]]), texts


def _end(body: bytes | bytearray, at: int) -> int:
    """The end of the string whose first character is at `at`."""
    for _ in range(JSON_STRINGS):
        end = body.find(_QUOTE, at)
        if end < 0:
            raise _NotJSONError("a string does not end")
        before = end
        while before > at and body[before - 1] == _BACKSLASH and end - before < JSON_BACKSLASHES:
            before -= 1
        if end - before == JSON_BACKSLASHES:
            raise invalid("The body has a string with too many backslashes")
        if (end - before) % 2 == 0:
            return end
        at = end + 1
    raise invalid("The body has a string with too many quotation marks")


def _unescaped(body: bytes | bytearray, start: int, end: int) -> memoryview:
    """The UTF-8 bytes of the string from `start` to `end`; copied only if it contains escapes."""
    view = memoryview(body)
    if body.find(b"\\", start, end) < 0:
        return view[start:end]
    made = bytearray()
    # In pieces, because the parser needs several times the memory of its input.
    while start < end:
        stop = end if end - start <= _STEP else _boundary(body, start + _STEP)
        try:
            made += orjson.loads(b"".join((_QUOTE, view[start:stop], _QUOTE))).encode()
        except orjson.JSONDecodeError as error:
            raise _NotJSONError(error.msg) from None
        start = stop
    return memoryview(made)


def _boundary(body: bytes | bytearray, at: int) -> int:
    """A position at most a few bytes before `at` that does not split a character or escape."""
    last = body.rfind(b"\\", at - 6, at)
    if last >= 0:
        first = last
        while body[first - 1] == _BACKSLASH and last - first < JSON_BACKSLASHES:
            first -= 1
        if (last - first) % 2 == 0:
            # An escape starts here. The second half of a surrogate pair must not be separated from the first.
            return last - 6 if _LOW_SURROGATE.match(body, last) else last
        at = last + 1
    while body[at] & 0xC0 == 0x80:
        at -= 1
    return at


class _Object(dict[str, Any]):
    """A JSON object that records its duplicate members."""

    duplicates: tuple[str, ...] = ()


class _Rest:
    """Parses the rest of a body, without its long texts."""

    def __init__(self, texts: LongTexts) -> None:
        self._texts = texts
        self._members = 0

    def parsed(self, rest: bytes) -> Any:
        try:
            text = rest.decode("utf-8")
        except UnicodeDecodeError:
            raise _NotJSONError("it is not UTF-8") from None
        if text.startswith("\ufeff"):
            raise _NotJSONError("it begins with a byte order mark; send UTF-8 without one")
        try:
            return json.loads(
                text,
                object_pairs_hook=self._object,
                parse_int=_whole,
            )
        except MockupError:
            raise
        except RecursionError:
            raise invalid(f"The body is nested more than {JSON_DEPTH} levels deep") from None
        except json.JSONDecodeError as error:
            place = self._place(text, error.pos)
            raise _NotJSONError(f"{error.msg}: {place}") from None

    def _object(self, pairs: list[tuple[str, Any]]) -> _Object:
        self._members += len(pairs) + 1
        if self._members > 2 * JSON_MEMBERS:
            raise _too_many()
        named = [(self._name(name), value) for name, value in pairs]
        made = _Object(named)
        if len(made) < len(pairs):
            names = [name for name, _ in named]
            made.duplicates = tuple(name for name in made if names.count(name) > 1)
        return made

    def _name(self, text: str) -> str:
        """`text`, or the beginning of the long text if `text` is the placeholder of one."""
        long = self._texts.get(text)
        return text if long is None else bytes(long[:LONG]).decode("utf-8", "replace") + "…"

    def _place(self, text: str, at: int) -> str:
        """Convert a position in `text` to one in the body."""
        before = text[:at]
        for mark, long in self._texts.items():
            if mark in before:
                at += len(long) - len(mark)
        line = before.count("\n") + 1
        return f"line {line}, character {at + 1}"


def _too_many() -> MockupError:
    return invalid(f"The body has {_TOO_MANY}", Detail("", _TOO_MANY))


def _whole(text: str) -> int | float:
    return int(text) if len(text) < 19 else float(text)


# The only places where long texts are allowed.
_PLACE = re.compile(
    r"(devices\[\d\]\.)?screenshot\.src|screenshot_(url|base64)|settings\.appearance\.backgroundImage\.src"
)


def value(text: str) -> Any:
    """The value of a short JSON text, as strict as a body; raises ValueError if it is not JSON."""
    try:
        made = _Rest({}).parsed(text.encode())
    except _NotJSONError as error:
        raise ValueError(str(error)) from None
    if isinstance(made, float) and not math.isfinite(made):
        raise ValueError(f"{text} is not a finite number")
    return made


def faults(value: Any, texts: LongTexts = MappingProxyType({})) -> Iterator[Detail]:
    """All structural faults of the parsed value."""
    left: list[tuple[str, Any, int]] = [("", value, 1)]
    members = 0
    while left:
        path, here, depth = left.pop()
        members += len(here)
        if members > JSON_MEMBERS:
            yield Detail(path, _TOO_MANY)
            return
        if depth > JSON_DEPTH:
            yield Detail(path, f"nested more than {JSON_DEPTH} levels deep")
            return
        if isinstance(here, _Object):
            yield from (Detail(_join(path, name), "duplicate member") for name in here.duplicates)
        for key, item in here.items() if isinstance(here, dict) else enumerate(here):
            inner = _join(path, key)
            if _is_broken(key) or _is_broken(item):
                yield Detail(inner if not _is_broken(key) else path, "contains half of a surrogate pair")
            elif isinstance(item, str) and item in texts and not _PLACE.fullmatch(inner):
                yield Detail(inner, f"expected a shorter text, got {len(texts[item])} bytes")
            elif isinstance(item, float) and not math.isfinite(item):
                yield Detail(inner, "expected a finite number")
            elif isinstance(item, dict | list):
                left.append((inner, item, depth + 1))


def _is_broken(text: object) -> bool:
    return isinstance(text, str) and not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text)


def _join(path: str, key: object) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    name = str(key)[:64]
    return f"{path}.{name}" if path else name
