"""Files of texts by key, as apps of Apple's systems have them: `"key" = "text";`, in UTF-8 or UTF-16."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ...errors import invalid

_MARKS = (codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
# The pattern matches comments as well, so that none of their text is read as an entry.
_PART = re.compile(rf"/\*.*?\*/|//[^\n]*|{_QUOTED}\s*=\s*{_QUOTED}\s*;", re.DOTALL)
_ESCAPED = re.compile(r"\\(U[0-9A-Fa-f]{4}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r"}


def read(file: Path) -> dict[str, str]:
    """The texts of a file by their keys, in order; raises a 400 if it cannot be read."""
    try:
        data = file.read_bytes()
        text = data.decode("utf-16" if data.startswith(_MARKS) else "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise invalid(f"{file}: cannot be read: {error}") from error
    return {_plain(part[1]): _plain(part[2]) for part in _PART.finditer(text) if part[1] is not None}


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda part: _character(part[1]), text)


def _character(escape: str) -> str:
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _NAMED.get(escape, escape)
