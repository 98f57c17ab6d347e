"""The types of bodies, as their headers announce them: checks, and the messages of their errors."""

from __future__ import annotations

import re

from starlette.requests import Request

from ..errors import Code, MockupError
from ..limits import CONTENT_TYPE_LENGTH
from ..settings.formats import FORMATS

MOCKUP = "/api/v1/mockup"
UPLOADS = "/api/v1/screenshots"
RECORDINGS = "/api/v1/recordings"
_JSON = re.compile(r'application/json\s*(;\s*charset\s*=\s*("utf-?8"|utf-?8)\s*)?;?', re.IGNORECASE)
_FORM = re.compile(r"multipart/form-data\s*(;|$)", re.IGNORECASE)
_RECORDING = re.compile(r"((?:video|image)/[^;\s]+|application/octet-stream)\s*(;|$)", re.IGNORECASE)
_PICTURE = re.compile(r"(image/[^;\s]+|application/octet-stream)\s*(;|$)", re.IGNORECASE)
_SEND_JSON = "send JSON with 'Content-Type: application/json'"
_SEND_FORM = "a form of type multipart/form-data with the screenshot as its file"
_INSIDE = "with the screenshot in it, as base64 in screenshot_base64 or as a URL in screenshot_url"


def is_json(request: Request) -> bool:
    """Whether the headers announce JSON; raises 415 for compressed JSON and other charsets."""
    kind = request.headers.get("content-type", "")[:CONTENT_TYPE_LENGTH]
    if kind.partition(";")[0].strip().lower() != "application/json":
        return False
    check_json(request)
    return True


def is_form(request: Request) -> bool:
    """Whether the headers announce a form with files."""
    return _announces(request, _FORM)


def check_json(request: Request, *, forms: bool = False) -> None:
    """Raise 415 unless the headers announce uncompressed JSON in UTF-8 or, if accepted, a form."""
    kind = request.headers.get("content-type", "")
    if not (forms and is_form(request)) and (
        len(kind) > CONTENT_TYPE_LENGTH or not _JSON.fullmatch(kind.strip())
    ):
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, _no_json(request, forms=forms))
    _check_encoding(request)


def check_picture(request: Request) -> None:
    """Raise 415 unless the headers announce a picture of any format, or a form."""
    if not (_announces(request, _PICTURE) or is_form(request)):
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, _no_picture(request))
    _check_encoding(request)


def check_recording(request: Request) -> None:
    """Raise 415 unless the headers announce a video or a picture of any format."""
    if not _announces(request, _RECORDING):
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, _no_recording(request))
    _check_encoding(request)


def _no_json(request: Request, *, forms: bool) -> str:
    """The message for a body whose headers announce neither JSON nor, where they are taken, a form."""
    headers, expected = request.headers, f"{_SEND_JSON}, or {_SEND_FORM}" if forms else _SEND_JSON
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return f"The request has no body; {expected}"
    if kind == "application/x-www-form-urlencoded":
        return f"The body is announced as a form without files, as curl does with -d; {expected}"
    if kind == "multipart/form-data":
        return f"Forms are read by POST {MOCKUP} and POST {UPLOADS} only; {_SEND_JSON}"
    if kind.startswith("image/") or kind == "application/octet-stream":
        return f"The body must not be the picture itself, which POST {UPLOADS} takes; {expected}"
    if kind == "application/json":
        return "The body must be JSON in UTF-8"
    return f"The Content-Type is {'not JSON' if kind else 'missing'}; {expected}"


def _no_picture(request: Request) -> str:
    """The message for an upload whose headers announce neither a picture nor a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    expected = "send the picture with 'Content-Type: image/png' or its own type, or as the file of a form"
    if kind == "application/x-www-form-urlencoded":
        return f"The body is announced as a form without files, as curl does with -d; {expected}"
    return f"The Content-Type is {'not that of a picture' if kind else 'missing'}; {expected}"


def _no_recording(request: Request) -> str:
    """The message for a recording whose headers announce neither video nor an animated picture."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    expected = "send the file with 'Content-Type: video/mp4' or its own type, or JSON with its url"
    return f"The Content-Type is {'not that of a recording' if kind else 'missing'}; {expected}"


def not_json(body: bytes | bytearray, fault: str) -> str:
    """The message for a body announced as JSON that is not JSON; `fault` is the parser's message."""
    if len(body) < 1024 and not body.strip():
        return "The body is empty; send a JSON object"
    found = next((one.file for one in FORMATS.values() if one.matches(body)), None)
    if found or body.startswith(b"--"):
        return f"The body is {found or 'a multipart form'}; send JSON, {_INSIDE}"
    return f"The body is not valid JSON: {fault}"


def _announces(request: Request, kinds: re.Pattern[str]) -> bool:
    kind = request.headers.get("content-type", "")
    return len(kind) <= CONTENT_TYPE_LENGTH and kinds.match(kind.strip()) is not None


def _check_encoding(request: Request) -> None:
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise MockupError(Code.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed")
