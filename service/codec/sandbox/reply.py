"""The replies of decoder processes, which are untrusted and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..picture import Header

MAX_TEXT = 300


@dataclass(frozen=True, slots=True)
class Reply:
    """Pixels of `shape`, or a refusal and its detail; `last` if the process is about to exit.

    `short` if the process was refused the memory that the picture takes.
    """

    shape: tuple[int, int, int] | None
    refused: str
    detail: str
    last: bool
    short: bool = False


def parsed(message: bytes, header: Header, room: int) -> Reply | None:
    """The reply in `message`; None for anything that an intact decoder would not send.

    A shape must be one that `header` allows and fit in `room` bytes.
    """
    try:
        answer = json.loads(message)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict):
        return None
    last = answer.get("last") is not False
    if answer.get("short") is True:
        return Reply(None, "", "", last, short=True)
    refused, detail = answer.get("refused"), answer.get("detail")
    if isinstance(refused, str) and isinstance(detail, str):
        return Reply(None, plain(refused), plain(detail), last)
    shape = _shape(answer.get("shape"), header, room)
    return Reply(shape, "", "", last) if shape else None


def _shape(shape: Any, header: Header, room: int) -> tuple[int, int, int] | None:
    if not (isinstance(shape, list) and len(shape) == 3 and all(type(n) is int and n > 0 for n in shape)):
        return None
    height, width, channels = shape
    if channels not in (3, 4) or height * width * channels > room:
        return None
    allowed = header.allows((height, width), (header.width, header.height))
    return (height, width, channels) if allowed else None


def plain(text: str) -> str:
    """At most 300 printable characters."""
    return "".join(sign for sign in text[:MAX_TEXT] if sign.isprintable())
