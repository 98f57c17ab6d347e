"""Error messages for bodies that are not of the type expected."""

from __future__ import annotations

from starlette.requests import Request

from ..settings.formats import FORMATS

MOCKUP = "/api/v1/mockup"
UPLOADS = "/api/v1/screenshots"
RECORDINGS = "/api/v1/recordings"
_JSON = "send JSON with 'Content-Type: application/json'"
_FORM = "a form of type multipart/form-data with the screenshot as its file"
_INSIDE = "with the screenshot in it, as base64 in screenshot_base64 or as a URL in screenshot_url"


def wrong_type(request: Request, *, forms: bool = False) -> str:
    """The message for a body whose headers announce neither JSON nor, where they are taken, a form."""
    headers, expected = request.headers, f"{_JSON}, or {_FORM}" if forms else _JSON
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return f"The request has no body; {expected}"
    if kind == "application/x-www-form-urlencoded":
        return f"The body is announced as a form without files, as curl does with -d; {expected}"
    if kind == "multipart/form-data":
        return f"Forms are read by POST {MOCKUP} and POST {UPLOADS} only; {_JSON}"
    if kind.startswith("image/") or kind == "application/octet-stream":
        return f"The body must not be the picture itself, which POST {UPLOADS} takes; {expected}"
    if kind == "application/json":
        return "The body must be JSON in UTF-8"
    return f"The Content-Type is {'not JSON' if kind else 'missing'}; {expected}"


def no_picture(request: Request) -> str:
    """The message for an upload whose headers announce neither a picture nor a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    expected = "send the picture with 'Content-Type: image/png' or its own type, or as the file of a form"
    if kind == "application/x-www-form-urlencoded":
        return f"The body is announced as a form without files, as curl does with -d; {expected}"
    return f"The Content-Type is {'not that of a picture' if kind else 'missing'}; {expected}"


def no_recording(request: Request) -> str:
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
