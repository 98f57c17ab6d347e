"""A screenshot inside the request: base64, with or without a data-URI prefix."""

from __future__ import annotations

import binascii
import re

from service.errors import Detail, MockupError, invalid

_URL = re.compile(r"\s*(?:https?|ftp|file|blob):/?/?", re.IGNORECASE)
_DATA = re.compile(r"\s*data:", re.IGNORECASE)
_ODD = re.compile(rb"[^A-Za-z0-9+/]")
_PREFIX_LENGTH = 512
_SPACE = b" \t\r\n\f\v"
_STANDARD = bytes.maketrans(b"-_", b"+/")
# The decoder holds the interpreter lock; between pieces other threads get their turn.
_PIECE = 2**20


def decode(src: str, limit: int, path: str = "screenshot.src") -> bytes:
    """The bytes that `src` encodes; a 400 naming `path` unless it is base64 of 1 to `limit` bytes.

    The prefix `data:[image/…][;parameters];base64,` may stand in front in any case; white space, the URL-safe
    alphabet and missing padding are taken as well. The size is known from the length, before decoding.
    """
    if _URL.match(src):
        raise _refusal(path, 'looks like a URL; use type "url" for it')
    start = _payload_start(src, path)
    # Half as much again leaves room for any line breaks; a longer text is not worth the copies below.
    if len(src) - start > limit * 2 + 1024:
        raise _refusal(path, _too_large(limit))
    try:
        text = src[start:].encode("ascii").translate(_STANDARD, _SPACE)
    except UnicodeEncodeError as exc:
        raise _refusal(path, f"is not base64: {src[start + exc.start]!r} does not belong to it") from None
    body = text.rstrip(b"=")
    if not body:
        raise _refusal(path, "is empty")
    if len(body) * 3 // 4 > limit:
        raise _refusal(path, _too_large(limit))
    padding = len(text) - len(body)
    fits = len(body) % 4 != 1 and padding <= 2 and not (padding and len(text) % 4)
    try:
        if fits:
            return _decode(body)
    except binascii.Error:
        pass
    odd = _ODD.search(body)
    told = (
        f"{chr(odd[0][0])!r} does not belong to it"
        if odd
        else "its length does not fit, it may have been cut off"
    )
    raise _refusal(path, f"is not base64: {told}")


def _payload_start(src: str, path: str) -> int:
    scheme = _DATA.match(src)
    if scheme is None:
        return 0
    comma = src.find(",", scheme.end(), scheme.end() + _PREFIX_LENGTH)
    if comma < 0:
        raise _refusal(path, 'is not a data URI: expected "data:image/png;base64," and the data')
    kind, *parameters = (part.strip().lower() for part in src[scheme.end() : comma].split(";"))
    if kind and not kind.startswith("image/"):
        raise _refusal(path, "is not a data URI of an image")
    if not parameters or parameters[-1] != "base64":
        raise _refusal(path, "is a percent-encoded data URI; expected ;base64")
    return comma + 1


def _decode(body: bytes) -> bytes:
    full = len(body) - len(body) % 4
    view = memoryview(body)
    pieces = [
        binascii.a2b_base64(view[at : min(at + _PIECE, full)], strict_mode=True)
        for at in range(0, full, _PIECE)
    ]
    if full < len(body):
        pieces.append(binascii.a2b_base64(body[full:] + b"=" * (-len(body) % 4), strict_mode=True))
    return b"".join(pieces)


def _too_large(limit: int) -> str:
    return f"is larger than {limit} bytes"


def _refusal(path: str, message: str) -> MockupError:
    return invalid("The screenshot is not usable base64 image data", Detail(path, message))
