"""Screenshots in the request itself: a file, or base64 with or without a data-URI prefix."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

import pybase64

from ..errors import Detail, MockupError, invalid

_URL = re.compile(r"\s*(?:https?|ftp|blob):/?/?", re.IGNORECASE)
_FILE = re.compile(r"\s*file:", re.IGNORECASE)
_DATA = re.compile(r"\s*data:", re.IGNORECASE)
_ODD = re.compile(rb"[^A-Za-z0-9+/]")
_PREFIX_LENGTH = 512
_SPACE = b" \t\r\n\f\v"
_STANDARD = bytes.maketrans(b"-_", b"+/")
# Bytes cleaned at a time, since cleaning copies them.
_PIECE = 2**20


def decode(src: str | bytes | memoryview, limit: int, path: str = "screenshot.src") -> bytes:
    """Decode `src`; raises a 400 naming `path` unless it is base64 of 1 to `limit` bytes.

    The prefix `data:[image/…][;parameters];base64,` is optional and case-insensitive; white space, the
    URL-safe alphabet and missing padding are accepted. `src` is text or its UTF-8 bytes. Apart from the
    result, no copy as large as `src` is made.
    """
    data = memoryview(src.encode("utf-8", "surrogatepass") if isinstance(src, str) else src)
    start = _payload_start(bytes(data[: 2 * _PREFIX_LENGTH]), path)
    # Base64 takes 4/3 of the bytes; the rest leaves room for line breaks. Refuse longer texts unread.
    if len(data) - start > limit * 2 + 1024:
        raise _refusal(path, _too_large(limit))
    data = data[start:]
    try:
        # The common case: nothing but the alphabet and padding. Padding removes up to two bytes.
        file = pybase64.b64decode(data, validate=True) if len(data) // 4 * 3 - 2 <= limit else b""
    except binascii.Error:
        file = b""
    file = file or _joined(data, limit, path)
    if not file:
        raise _refusal(path, "is empty")
    if len(file) > limit:
        raise _refusal(path, _too_large(limit))
    return file


def file(data: str | memoryview, limit: int, path: str) -> bytes:
    """A copy of a file of 1 to `limit` bytes; raises a 400 naming `path` for any other."""
    if not data:
        raise _refusal(path, "is empty")
    if len(data) > limit:
        raise _refusal(path, _too_large(limit))
    return data.encode() if isinstance(data, str) else bytes(data)


def _payload_start(head: bytes, path: str) -> int:
    text = head.decode("latin-1")
    if _URL.match(text):
        form = "screenshot_url" if path == "screenshot_base64" else 'type "url"'
        raise _refusal(path, f"looks like a URL; use {form} for it")
    if _FILE.match(text):
        raise _refusal(path, "is a file URL, which only your machine can read; send the content of the file")
    scheme = _DATA.match(text)
    if scheme is None:
        return 0
    comma = text.find(",", scheme.end(), scheme.end() + _PREFIX_LENGTH)
    if comma < 0:
        raise _refusal(path, 'is not a data URI: expected "data:image/png;base64," and the data')
    kind, *parameters = (part.strip().lower() for part in text[scheme.end() : comma].split(";"))
    if kind and not kind.startswith("image/"):
        raise _refusal(path, "is not a data URI of an image")
    if not parameters or parameters[-1] != "base64":
        raise _refusal(path, "is a percent-encoded data URI; expected ;base64")
    if _DATA.match(text, comma + 1):
        raise _refusal(path, "has a data-URI prefix twice; expected it once, or the base64 alone")
    return comma + 1


def _pieces(data: memoryview) -> Iterator[memoryview]:
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


def _cleaned(data: memoryview) -> Iterator[bytes]:
    """The text without white space, in the standard alphabet and padded."""
    left = b""
    padding = size = 0
    for piece in _pieces(data):
        text = left + bytes(piece).translate(_STANDARD, _SPACE)
        body = text.rstrip(b"=")
        if padding and len(body) > len(left):
            raise binascii.Error("padding within")
        padding += len(text) - len(body)
        size += len(body)
        full = len(body) - len(body) % 4
        left = body[full:]
        yield body[:full]
    # Padding may be missing, but must be correct if present.
    if not size:
        return
    if padding > 2 or len(left) == 1 or (padding and (len(left) + padding) % 4):
        raise binascii.Error("length")
    if left:
        yield left + b"=" * (-len(left) % 4)


def _joined(data: memoryview, limit: int, path: str) -> bytes:
    """Decode any accepted text; explains the fault of any other."""
    decoded, size = [], 0
    try:
        for piece in _cleaned(data):
            if size + len(piece) // 4 * 3 - 2 > limit:
                raise _refusal(path, _too_large(limit))
            decoded.append(pybase64.b64decode(piece, validate=True))
            size += len(decoded[-1])
    except binascii.Error:
        raise _refusal(path, f"is not base64: {_fault(data)}") from None
    return b"".join(decoded)


def _fault(data: memoryview) -> str:
    for piece in _pieces(data):
        text = bytes(piece).translate(_STANDARD, _SPACE)
        if odd := _ODD.search(text.rstrip(b"=")):
            character = text[odd.start() : odd.start() + 4].decode("utf-8", "ignore")[:1]
            return f"{character or chr(odd[0][0])!r} is not allowed"
    return "its length is wrong; it may be truncated"


def _too_large(limit: int) -> str:
    return f"is larger than {limit} bytes"


def _refusal(path: str, message: str) -> MockupError:
    return invalid(f"The screenshot {message}", Detail(path, message))
