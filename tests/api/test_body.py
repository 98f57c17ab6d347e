from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from service.api import body
from service.errors import Code, MockupError


def parse(data: bytes) -> Any:
    return asyncio.run(body.json_object(data))


def failing(data: bytes) -> MockupError:
    with pytest.raises(MockupError) as caught:
        parse(data)
    assert caught.value.code is Code.INVALID_REQUEST
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{'a': 1}",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": "\xff"}',
        b'{"a": "\\ud800"}',
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b'{"a": 01}',
        b'{"a": "' + b"\0" + b'"}',
    ],
)
def test_what_is_not_json(data: bytes) -> None:
    assert "not valid JSON" in failing(data).message


@pytest.mark.parametrize("data", [b"[]", b"3", b'"text"', b"null", b"true"])
def test_what_is_not_an_object(data: bytes) -> None:
    assert failing(data).message == "The body must be a JSON object"


@pytest.mark.parametrize("depth", [40, 900, 1020, 5000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting(depth: int, opening: bytes, closing: bytes) -> None:
    failing(b'{"a":' + opening * depth + b"1" + closing * depth + b"}")


def test_members_given_twice_are_named() -> None:
    error = failing(b'{"fast": true, "fast": false, "settings": {"shadow": {"blur": 1, "blur": 2}}}')
    assert {item.path for item in error.details} == {"fast", "settings.shadow.blur"}


def test_members_given_twice_beside_a_long_screenshot() -> None:
    text = "A" * 200_000
    data = json.dumps({"screenshot": {"type": "base64", "src": text}, "fast": True})
    assert parse(data.encode())["screenshot"]["src"] == text
    twice = data[:-1] + ', "fast": false}'
    assert [item.path for item in failing(twice.encode()).details] == ["fast"]


def test_escaped_slashes_in_a_long_screenshot() -> None:
    text = "A/" * 100_000
    data = json.dumps({"screenshot_base64": text}).replace("/", "\\/").encode()
    assert parse(data) == {"screenshot_base64": text}


def test_huge_integers_are_json() -> None:
    assert set(parse(b'{"a": ' + b"9" * 400 + b".0e-390}")) == {"a"}
    failing(b'{"a": ' + b"9" * 400 + b"}")
