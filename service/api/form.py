"""Bodies of type multipart/form-data (RFC 7578), parsed as they arrive: one file, and short fields."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from ..errors import Detail, MockupError, refusal
from ..limits import FORM_BYTES, FORM_HEAD_BYTES, FORM_NAME_LENGTH, FORM_PARTS, TOLD_PATH_LENGTH

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILE = "screenshot"
_DISPOSITION = b"content-disposition"
_TOO_MANY = f"the form has more than {FORM_PARTS} parts"
# The parser logs strangers' input for each body that it refuses.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)


@dataclass(slots=True)
class FormPart:
    """A part of a form: a file, or a field's text."""

    name: str = ""
    is_file: bool = False
    content: bytearray = field(default_factory=bytearray)


class FormBody:
    """A form that arrives in pieces.

    Errors of the form are raised by `parts` only, so that checks keep their order. Everything after an error
    is dropped.
    """

    def __init__(self, content_type: str) -> None:
        """Prepare for a body of that Content-Type."""
        self._parts: list[FormPart] = []
        self._fault: Detail | None = None
        self._ended = False
        self._fields = self._head = 0
        self._name, self._value = bytearray(), bytearray()
        self._disposition = b""
        self._delimiters, self._tail = 0, bytearray()
        self._parser: MultipartParser | None = None
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        try:
            if kind != b"multipart/form-data" or not boundary.strip():
                raise FormParserError
            self._parser = MultipartParser(boundary, self._callbacks(), max_header_size=FORM_HEAD_BYTES)
        except FormParserError:
            self._fail("", "the Content-Type multipart/form-data has no valid boundary")

    @property
    def size(self) -> int:
        """The bytes that are held."""
        return sum(len(part.content) for part in self._parts)

    def feed(self, piece: bytes) -> None:
        """Parse the next piece of the body."""
        if self._fault is not None or self._parser is None:
            return
        # The parser takes a hundred times as long for a boundary in a file as for other bytes.
        delimiter = self._parser.boundary
        self._tail += piece
        self._delimiters += self._tail.count(delimiter)
        del self._tail[: 1 - len(delimiter)]
        try:
            if self._delimiters > FORM_PARTS:
                self._refuse("", _TOO_MANY)
            self._parser.write(piece)
        except FormParserError as error:
            self._fail("", f"the form is malformed: {str(error)[:100]}")
        except _RefusedFormError:
            pass

    def parts(self) -> list[FormPart]:
        """All parts, once the body has ended; raises a 400 that names the part."""
        if self._fault is None and not self._ended:
            self._fail("", "the form is cut off, or does not contain its boundary")
        if self._fault is not None:
            raise refusal(self._fault)
        return self._parts

    def digest(self) -> bytes:
        """A digest of the names and contents of the form's parts; raises as `parts`."""
        whole = sha256()
        for part in self.parts():
            named = sha256(f"{part.is_file} {part.name}".encode()).digest()
            whole.update(named + sha256(part.content).digest())
        return whole.digest()

    def clear(self) -> None:
        """Release the memory and files held."""
        self._parts.clear()

    def _callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._add(self._name, data, start, end),
            "on_header_value": lambda data, start, end: self._add(self._value, data, start, end),
            "on_header_end": self._header,
            "on_headers_finished": self._begin_content,
            "on_part_data": self._content,
            "on_end": self._end,
        }

    def _begin(self) -> None:
        if len(self._parts) == FORM_PARTS:
            self._refuse("", _TOO_MANY)
        self._head, self._disposition = 0, b""
        self._parts.append(FormPart())

    def _add(self, text: bytearray, data: bytes, start: int, end: int) -> None:
        self._head += end - start
        if self._head > FORM_HEAD_BYTES:
            self._refuse("", f"a part of the form has more than {FORM_HEAD_BYTES} bytes of headers")
        text += data[start:end]

    def _header(self) -> None:
        if bytes(self._name).lower() == _DISPOSITION:
            self._disposition = bytes(self._value)
        self._name.clear()
        self._value.clear()

    def _begin_content(self) -> None:
        part = self._parts[-1]
        # RFC 7578, section 5.1: names are UTF-8.
        _, options = parse_options_header(self._disposition.decode("latin-1"))
        try:
            part.name = options.get(b"name", b"").decode("utf-8")
        except UnicodeDecodeError:
            self._refuse("", "the name of a part of the form is not UTF-8")
        if not part.name:
            self._refuse("", "a part of the form has no name")
        if len(part.name) > FORM_NAME_LENGTH:
            shown = part.name[:TOLD_PATH_LENGTH]
            self._refuse(shown, f"a field's name has at most {FORM_NAME_LENGTH} characters")
        part.is_file = b"filename" in options
        if any(one.name == part.name for one in self._parts[:-1]):
            self._refuse(part.name, "expected one such part, got several")

    def _content(self, data: bytes, start: int, end: int) -> None:
        part = self._parts[-1]
        if not part.is_file and part.name != FILE:
            self._fields += end - start
            if self._fields > FORM_BYTES:
                self._refuse(part.name, f"the form has more than {FORM_BYTES} bytes besides its file")
        part.content += memoryview(data)[start:end]

    def _end(self) -> None:
        self._ended = True

    def _fail(self, path: str, message: str) -> None:
        self._fault = Detail(path, message)
        self.clear()

    def _refuse(self, path: str, message: str) -> None:
        self._fail(path, message)
        raise _RefusedFormError


class _RefusedFormError(Exception):
    """Ends the parsing of a form that is refused."""


def file_of(form: FormBody) -> bytearray:
    """The one file of a form; raises a 400 unless there is exactly one."""
    found = [part for part in form.parts() if part.is_file or part.name == FILE]
    if not found:
        raise _refused("missing; expected the picture as a file of the form")
    if len(found) > 1:
        raise _refused(f"expected one file, got {len(found)}")
    return found[0].content


def _refused(message: str) -> MockupError:
    return refusal(Detail(FILE, message))
