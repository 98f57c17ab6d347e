from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.multipart import file_in
from service.errors import MockupError
from service.limits import FORM_HEAD_BYTES, FORM_PARTS

TYPE = 'multipart/form-data; boundary="a b"'
HEAD = b'Content-Disposition: form-data; name="screenshot"; filename="a.png"\r\nContent-Type: image/png\r\n'


def form(*parts: bytes, end: bytes = b"--a b--\r\n") -> bytearray:
    return bytearray(b"".join(b"--a b\r\n" + part + b"\r\n" for part in parts) + end)


def part(content: bytes, head: bytes = HEAD) -> bytes:
    return head + b"\r\n" + content


@given(st.binary())
def test_any_bytes_come_back(content: bytes) -> None:
    if b"\r\n--a b" not in content:
        assert file_in(form(part(content)), TYPE) == content


@pytest.mark.parametrize(
    "head",
    [
        b'Content-Disposition: form-data; name=screenshot\r\n',
        b'content-disposition: form-data; name="photo"; filename="\xc3\xa4.png"\r\n',
        b"Content-Disposition: form-data; name=x; filename*=UTF-8''%C3%A4.png\r\n",
    ],
)  # fmt: skip
def test_files_by_name_or_file_name(head: bytes) -> None:
    field = part(b"other", b'Content-Disposition: form-data; name="note"\r\n')
    assert file_in(form(field, part(b"picture", head), field), TYPE) == b"picture"


def test_text_before_and_after_the_parts() -> None:
    assert file_in(bytearray(b"before\r\n" + form(part(b"x")) + b"after"), TYPE) == b"x"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (bytearray(), "does not contain its boundary"),
        (bytearray(b"--ab\r\n"), "does not contain its boundary"),
        (form(), "missing; expected the picture as a file of the form"),
        (form(part(b"x", b'Content-Disposition: form-data; name="note"\r\n')), "missing"),
        (form(b"x"), "no headers"),
        (form(part(b"x"), part(b"y")), "expected one file, got 2"),
        (form(part(b"x"), end=b""), "cut off"),
        (form(part(b"x"), end=b"--a b"), "cut off"),
        (form(part(b"x"), end=b"--a bc--"), "cut off"),
        (form(part(b"x", HEAD + b"X: " + b"x" * FORM_HEAD_BYTES + b"\r\n")), "no headers, or more than"),
        (form(*[part(b"x")] * (FORM_PARTS + 1)), "more than 16 parts"),
    ],
)
def test_forms_that_are_refused(body: bytearray, fault: str) -> None:
    with pytest.raises(MockupError) as refused:
        file_in(body, TYPE)
    assert fault in refused.value.message + "".join(item.message for item in refused.value.details)


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=", f'{TYPE[:-1]}é"'])
def test_types_without_a_boundary(kind: str) -> None:
    with pytest.raises(MockupError, match="no valid boundary"):
        file_in(form(part(b"x")), kind)
