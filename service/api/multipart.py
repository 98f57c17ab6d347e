"""The file in a form of type multipart/form-data (RFC 7578), for a body that is in memory already.

Parts are found by scanning for the boundary, so no body costs more than that; parsers of streams run Python
code for every carriage return.
"""

from __future__ import annotations

import re
from email.message import Message
from email.parser import BytesHeaderParser

from service.errors import Detail, MockupError, refusal
from service.limits import FORM_HEAD_BYTES, FORM_PARTS

NAME = "screenshot"
# RFC 2046, section 5.1.1
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")


def file_in(body: bytes | bytearray, content_type: str) -> bytes:
    """The one file of a form; raises a 400 unless there is exactly one."""
    found = [
        (name, content)
        for head, content in _parts(body, _boundary(content_type))
        for name, file in [_disposition(head)]
        if file is not None or name == NAME
    ]
    if not found:
        raise _refused("missing; expected the picture as a file of the form")
    if len(found) > 1:
        raise _refused(f"expected one file, got {len(found)}")
    return bytes(body[found[0][1]])


def _boundary(content_type: str) -> bytes:
    message = Message()
    message["Content-Type"] = content_type
    text = message.get_boundary()
    if text is None or not _BOUNDARY.fullmatch(text):
        raise _refused("the Content-Type multipart/form-data has no valid boundary")
    return text.encode()


def _parts(body: bytes | bytearray, boundary: bytes) -> list[tuple[bytes, slice]]:
    """Every part's head, and where its content is."""
    dashes, delimiter = b"--" + boundary, b"\r\n--" + boundary
    at = 0 if body.startswith(dashes) else body.find(delimiter) + 2
    if at == 1:
        raise _refused("the form does not contain its boundary")
    parts = list[tuple[bytes, slice]]()
    at += len(dashes)
    while body[at : at + 2] != b"--":
        # The delimiter's line may end in white space.
        line = body.find(b"\r\n", at, at + FORM_HEAD_BYTES)
        end = body.find(delimiter, at)
        if line < 0 or end < 0 or body[at:line].strip(b" \t"):
            raise _refused("the form is cut off or malformed")
        head = body.find(b"\r\n\r\n", line, min(line + FORM_HEAD_BYTES, end))
        if head < 0:
            raise _refused(f"a part of the form has no headers, or more than {FORM_HEAD_BYTES} bytes of them")
        if len(parts) == FORM_PARTS:
            raise _refused(f"the form has more than {FORM_PARTS} parts")
        parts.append((bytes(body[line + 2 : head + 2]), slice(head + 4, end)))
        at = end + len(delimiter)
    return parts


def _disposition(head: bytes) -> tuple[str | None, str | None]:
    """A part's name and the name of its file."""
    message = BytesHeaderParser().parsebytes(head)
    name = message.get_param("name", None, "Content-Disposition")
    return name if isinstance(name, str) else None, message.get_filename()


def _refused(message: str) -> MockupError:
    return refusal(Detail(NAME, message))
