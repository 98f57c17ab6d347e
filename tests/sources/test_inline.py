from __future__ import annotations

import base64
import urllib.parse
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import Code, MockupError
from service.sources import inline
from service.sources.inline import decode

DATA = bytes(range(256)) * 5 + b"\xfb\xff"
TEXT = base64.b64encode(DATA).decode()


def refusal(src: str, limit: int = 10_000) -> str:
    with pytest.raises(MockupError) as failure:
        decode(src, limit)
    assert failure.value.code is Code.INVALID_REQUEST
    (detail,) = failure.value.details
    assert detail.path == "screenshot.src"
    return detail.message


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "data:image/png;base64,",
        "data:image/jpeg;base64,",
        "data:image/svg+xml;base64,",
        "data:image/x-anything;base64,",
        "data:;base64,",
        "DATA:IMAGE/PNG;BASE64,",
        " \n data:image/png;base64,\n",
        "data:image/png;charset=utf-8;base64,",
        "data:image/png; name=a.png; base64,",
    ],
)
def test_prefixes(prefix: str) -> None:
    assert decode(prefix + TEXT, 10_000) == DATA


@pytest.mark.parametrize(
    "text",
    [
        base64.urlsafe_b64encode(DATA).decode(),
        base64.urlsafe_b64encode(DATA).decode().rstrip("="),
        TEXT.rstrip("="),
        base64.encodebytes(DATA).decode(),
        base64.encodebytes(DATA).decode().replace("\n", "\r\n"),
        " ".join(TEXT),
        f"\n\t{TEXT} \n",
    ],
)
def test_tolerated_forms(text: str) -> None:
    assert decode(text, 10_000) == DATA


@pytest.mark.parametrize(
    ("src", "told"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("data:image/png;base64,", "empty"),
        ("====", "empty"),
        ("https://example.com/a.png", 'use type "url"'),
        ("HTTP://example.com/a.png", 'use type "url"'),
        ("  file:///etc/passwd", "is a file URL, which only your machine can read"),
        ("data:image/png;base64, DATA:image/png;base64,AAAA", "has a data-URI prefix twice"),
        ("data:image/png," + urllib.parse.quote(DATA[:20]), "percent-encoded"),
        ("data:,hello", "percent-encoded"),
        ("data:image/png;base64;charset=x,AAAA", "percent-encoded"),
        ("data:image/png;base64," + urllib.parse.quote(TEXT), "'%'"),
        ("data:text/html;base64," + TEXT, "of an image"),
        ("data:image/png;base64", "is not a data URI"),
        ("data:" + "a" * 1000 + ",AAAA", "is not a data URI"),
        ("hello, world", "','"),
        ("AAAA\x00", "'\\x00'"),
        ("AAA\u00e9", "'\u00e9'"),
        ("AAA\U0001f600", "'\U0001f600'"),
        ("AAA\ud800", "is not allowed"),
        ("{}", "is not base64"),
        ("AA=A", "is not base64"),
        ("A", "length"),
        ("AAAAA", "length"),
        ("AA=", "length"),
        ("AAAA=", "length"),
        ("AAA==", "length"),
        ("AA===", "length"),
        ("AAAA====", "length"),
        (TEXT[:-3], "length"),
        (TEXT + TEXT[:8], "is not base64"),
    ],
)
def test_refusals(src: str, told: str) -> None:
    assert told in refusal(src)


def test_the_limit_is_exact() -> None:
    for size in range(1, 50):
        text = base64.b64encode(b"x" * size).decode()
        assert len(decode(text, size)) == size
        assert len(decode(base64.encodebytes(b"x" * size).decode(), size)) == size
        assert "larger than" in refusal(base64.b64encode(b"x" * (size + 1)).decode(), size)


def test_oversized_base64_is_refused_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.sources.inline.binascii.a2b_base64", None)
    assert "larger than 100 bytes" in refusal("A" * 1000, 100)
    assert "larger than 100 bytes" in refusal("A" * 100_000, 100)
    # Base64 text this long cannot be valid, so it is not even parsed.
    assert "larger than 100 bytes" in refusal("\x00" * 100_000, 100)


def test_long_data_in_pieces() -> None:
    data = bytes(range(256)) * 12_345 + b"end"
    assert decode(base64.b64encode(data).decode(), 2**23) == data
    broken = base64.b64encode(data).decode()
    assert "is not base64" in refusal(broken[:2_000_000] + "=" + broken[2_000_001:], 2**23)


def test_the_path_is_the_callers() -> None:
    with pytest.raises(MockupError) as failure:
        decode("", 1, "screenshot_base64")
    assert failure.value.details[0].path == "screenshot_base64"


@given(st.binary(min_size=1, max_size=300), st.booleans(), st.booleans())
def test_round_trip(data: bytes, safe: bool, padded: bool) -> None:
    text = (base64.urlsafe_b64encode if safe else base64.b64encode)(data).decode()
    assert decode(text if padded else text.rstrip("="), 300) == data


@given(st.text(max_size=200))
def test_anything_else_is_a_documented_error(src: str) -> None:
    with suppress(MockupError):
        assert decode(src, 200)


def test_padding_ends_the_data_even_between_two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "_PIECE", 8)
    assert "is not base64" in refusal("QUJDRA==QUJDRA==")
    assert decode("QUJD RA==", 10) == b"ABCD", "half of the padding in each piece"


def test_a_url_is_sent_under_another_name() -> None:
    for path, form in (("screenshot_base64", "screenshot_url"), ("screenshot.src", 'type "url"')):
        with pytest.raises(MockupError) as failure:
            decode("https://example.com/a.png", 100, path)
        assert failure.value.details[0].message == f"looks like a URL; use {form} for it"


@pytest.mark.parametrize("data", ["\u00e9tude", memoryview("\u00e9tude".encode())])
def test_files_are_copied_up_to_the_limit(data: str | memoryview) -> None:
    assert inline.file(data, 6, "screenshot") == "\u00e9tude".encode()
    with pytest.raises(MockupError) as failure:
        inline.file(memoryview(b"seven b"), 6, "screenshot")
    assert failure.value.details[0].message == "is larger than 6 bytes"


def test_empty_files_are_refused() -> None:
    for empty in ("", memoryview(b"")):
        with pytest.raises(MockupError) as failure:
            inline.file(empty, 6, "screenshot")
        assert (failure.value.details[0].path, failure.value.details[0].message) == ("screenshot", "is empty")
