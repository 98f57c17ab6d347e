"""Errors as the command line words them."""

from __future__ import annotations

import re

from ..errors import MockupError, counted, summary
from ..sources.refusals import RefusedError

# Lists that the API's messages point to, and the commands that print the same.
LISTS = ("devices", "poses", "looks", "templates", "fonts", "presets", "settings", "environments")
_ENDPOINT = re.compile(rf"GET /api/v1/({'|'.join(LISTS)})\b")


def lines(error: MockupError) -> list[str]:
    """The lines of an error: its message and the paths it names, without repetitions.

    The command line, unlike the API, may say why a URL is not fetched.
    """
    if isinstance(error.__cause__, RefusedError):
        return [f"{error.message.partition(':')[0]}: {error.__cause__}"]
    details = [f"{one.path}: {one.message}" if one.path else one.message for one in error.details]
    if not details or error.message != summary(error.details):
        more = [
            text for one, text in zip(error.details, details, strict=True) if one.message not in error.message
        ]
        return [spoken(error.message), *(f"  {spoken(one)}" for one in more)]
    if len(details) == 1:
        return [spoken(details[0])]
    return [f"{counted(len(details), 'mistake')}:", *(f"  {spoken(one)}" for one in details)]


def one_line(error: MockupError) -> str:
    """The lines of an error, joined to one line."""
    first, *more = lines(error)
    parts = [one.strip() for one in more]
    return f"{first} {'; '.join(parts)}" if first.endswith(":") else "; ".join((first, *parts))


def spoken(text: str) -> str:
    """The message, with commands in place of the API's endpoints."""
    return _ENDPOINT.sub(r"mockup \1", text)
