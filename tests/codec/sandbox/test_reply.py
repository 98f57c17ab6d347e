from __future__ import annotations

import pytest

from service.codec.picture import Header
from service.codec.sandbox.reply import Reply, parsed

PNG = Header("png", 60, 40, stored=(60, 40))
JPEG = Header("jpeg", 61, 41, stored=(61, 41), divisors=(1, 2, 4, 8))
ROOM = 60 * 40 * 4


@pytest.mark.parametrize(
    ("header", "message", "shape"),
    [
        (PNG, b'{"shape": [40, 60, 3], "last": false}', (40, 60, 3)),
        (PNG, b'{"shape": [40, 60, 4], "last": false}', (40, 60, 4)),
        (JPEG, b'{"shape": [21, 31, 3], "last": false}', (21, 31, 3)),
        (JPEG, b'{"shape": [6, 8, 3], "last": false}', (6, 8, 3)),
    ],
)
def test_shapes_that_the_header_allows(header: Header, message: bytes, shape: tuple[int, int, int]) -> None:
    assert parsed(message, header, ROOM) == Reply(shape, "", "", False)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b"[" * 5000,
        b'{"shape": null}',
        b'{"shape": [40, 60]}',
        b'{"shape": [40, 60, 1]}',
        b'{"shape": [60, 40, 3]}',
        b'{"shape": [20, 30, 3]}',
        b'{"shape": [40, 60, 3.0]}',
        b'{"shape": [40, 60, true]}',
        b'{"shape": [-40, -60, 3]}',
        b'{"shape": ["40", 60, 3]}',
        b'{"refused": 5, "detail": "x"}',
        b'{"refused": "x"}',
    ],
)
def test_senseless_answers(message: bytes) -> None:
    assert parsed(message, PNG, ROOM) is None


def test_more_pixels_than_there_is_room_for() -> None:
    assert parsed(b'{"shape": [40, 60, 4]}', PNG, ROOM - 1) is None


def test_refusals_are_cut_and_cleaned() -> None:
    answer = parsed(b'{"refused": "a\\u001b[31m' + b"x" * 999 + b'", "detail": "d", "last": true}', PNG, ROOM)
    assert answer == Reply(None, "a[31m" + "x" * 294, "d", True)
