from __future__ import annotations

import json
from typing import Any

import pytest

from service.api import json_body
from service.api.media_type import not_json
from service.errors import Code, MockupError


def parse(data: bytes) -> Any:
    """The parsed object. The parser keeps long texts apart; here they are put back in their places."""
    parsed = json_body.parse(data)

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(item) for name, item in value.items()}
        text = parsed.texts.get(value) if isinstance(value, str) else None
        return value if text is None else bytes(text).decode()

    return filled(parsed.value)


def failing(data: bytes) -> MockupError:
    with pytest.raises(MockupError) as caught:
        parse(data)
    assert caught.value.code is Code.INVALID_REQUEST
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"{'a': 1}",
        b'{"a": "\xff"}',
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b'{"a": 01}',
        b'{"a": "' + b"\0" + b'"}',
    ],
)
def test_invalid_json_is_refused(data: bytes) -> None:
    assert "not valid JSON" in failing(data).message


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-" + b"9" * 400])
def test_numbers_that_are_not_finite_are_refused_with_their_places(number: bytes) -> None:
    error = failing(b'{"a": {"b": [1, %s]}, "c": %s}' % (number, number))
    assert {one.path: one.message for one in error.details} == dict.fromkeys(
        ["a.b[1]", "c"], "expected a finite number"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The body is empty; send a JSON object"),
        (b" \r\n", "The body is empty; send a JSON object"),
        (b"\x89PNG\r\n\x1a\n", "The body is a PNG file; send JSON"),
        (b"\xff\xd8\xff\xe0", "The body is a JPEG file; send JSON"),
        (
            b"\xef\xbb\xbf{}",
            "The body is not valid JSON: it begins with a byte order mark; send UTF-8 without one",
        ),
        (b"--boundary\r\n", "The body is a multipart form; send JSON"),
    ],
)
def test_messages_name_the_type_of_other_bodies(data: bytes, message: str) -> None:
    assert failing(data).message.startswith(message)


def test_a_long_body_of_spaces_is_not_searched_for_its_end() -> None:
    assert not_json(b" " * 1023, "a fault").startswith("The body is empty")
    assert not_json(b" " * 1024, "a fault") == "The body is not valid JSON: a fault"


@pytest.mark.parametrize("data", [b"[]", b"3", b'"text"', b"null", b"true"])
def test_json_other_than_an_object_is_refused(data: bytes) -> None:
    assert failing(data).message == "The body must be a JSON object"


@pytest.mark.parametrize("depth", [40, 900, 1020, 5000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting(depth: int, opening: bytes, closing: bytes) -> None:
    failing(b'{"a":' + opening * depth + b"1" + closing * depth + b"}")


def test_duplicate_members_are_named() -> None:
    error = failing(b'{"fast": true, "fast": false, "settings": {"shadow": {"blur": 1, "blur": 2}}}')
    assert {item.path for item in error.details} == {"fast", "settings.shadow.blur"}


def test_duplicate_members_beside_a_long_screenshot_are_named() -> None:
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


def test_a_long_text_is_cut_out_where_it_stands() -> None:
    """The parser cuts out the long text itself, and not an equal text that occurs earlier in the body."""
    members = ",".join(f'"m{number}":"{"x" * 100}"' for number in range(100))
    body = f'{{"settings":{{{members},"x":1,"x":2}},"screenshot_base64":{json.dumps(members)}}}'
    assert [item.path for item in failing(body.encode()).details] == ["settings.x"]


@pytest.mark.parametrize("data", [b'{"a": "\\ud800"}', b'{"\\ud800": 1}', b'{"a": ["\\udfff"]}'])
def test_half_a_surrogate_pair(data: bytes) -> None:
    assert "surrogate" in failing(data).message


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":[' + b"{}," * 100_000 + b"{}]}",
        b'{"a":[' + b"[]," * 100_000 + b"[]]}",
        b'{"a":' + b" " * 200_000 + b"1}",
        b'{"a":' + b"9" * 200_000 + b"}",
    ],
)
def test_only_a_screenshot_may_be_large(data: bytes) -> None:
    assert "besides its screenshot" in failing(data).message


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"a":"' + b'\\"' * 5000 + b'"}', "too many quotation marks"),
        (b'{"a":"' + b"\\" * 5000 + b'"}', "too many backslashes"),
        (b'{"a":"' + b"x" * 5000, "does not end"),
        (b"{" + b'"a":1,' * 2000 + b'"b":1}', "more than 256 members"),
    ],
)
def test_strings_are_bounded(data: bytes, told: str) -> None:
    assert told in failing(data).message


@pytest.mark.parametrize("path", ["device", "settings.device", "a.b.c", "settings.screenshot_url"])
def test_a_misplaced_long_text_is_refused(path: str) -> None:
    value: Any = "x" * 10_000
    for name in reversed(path.split(".")):
        value = {name: value}
    (detail,) = failing(json.dumps(value).encode()).details
    assert (detail.path, detail.message) == (path, "expected a shorter text, got 10000 bytes")


def test_a_long_name() -> None:
    assert list(parse(b'{"%s": 1}' % (b"x" * 10_000))) == ["x" * 4096 + "…"]


def test_a_fault_is_placed_in_the_body_as_it_was_sent() -> None:
    text = "A" * 10_000
    body = json.dumps({"screenshot_base64": text, "fast": True}).replace("true", "True")
    assert failing(body.encode()).message.endswith(f"character {body.index('True') + 1}")


@pytest.mark.parametrize("ascii_only", [False, True])
def test_escapes_are_undone_in_pieces(ascii_only: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece may end in the middle of an escape, a pair of backslashes, a surrogate pair or a UTF-8
    character."""
    text = "".join('a\\"/é😀\n€\\\\'[n * n % 9] for n in range(6000)) + "\\" * 9 + "😀" * 50
    body = json.dumps({"screenshot_base64": text}, ensure_ascii=ascii_only).replace("/", "\\/").encode()
    for step in range(40, 60):
        monkeypatch.setattr(json_body, "_STEP", step)
        assert parse(body) == {"screenshot_base64": text}


def test_half_a_surrogate_pair_is_refused_at_any_position(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in range(40, 60):
        monkeypatch.setattr(json_body, "_STEP", step)
        for half in (b"\\udc00", b"\\ud800"):
            failing(b'{"screenshot_base64":"' + b"x" * 5000 + half + b"y" * 100 + b'"}')
