"""The file of pieces that a film needs again."""

from __future__ import annotations

import os

from service.films.scratch import Scratch, nameless


def test_pieces_are_read_where_they_were_written() -> None:
    scratch = Scratch(nameless(), 8)
    places = [scratch.keep(piece) for piece in (b"one", b"", b"three")]
    assert places == [(0, 3), (3, 0), (3, 5)]
    assert [scratch.read(place) for place in places if place] == [b"one", b"", b"three"]


def test_a_piece_that_does_not_fit_leaves_room_for_a_smaller_one() -> None:
    scratch = Scratch(nameless(), 8)
    assert scratch.keep(b"three") == (0, 5)
    assert scratch.keep(b"four") is None
    assert scratch.keep(b"two") == (5, 3)
    assert scratch.keep(b"") == (8, 0)
    assert scratch.keep(b"x") is None


def test_a_file_that_cannot_be_written_has_no_room() -> None:
    scratch = Scratch(os.open("/dev/null", os.O_RDONLY), 8)
    assert scratch.keep(b"one") is None


def test_the_file_is_closed_with_the_last_reference() -> None:
    fd = nameless()
    scratch = Scratch(fd, 8)
    os.fstat(fd)
    del scratch
    assert not os.path.exists(f"/proc/self/fd/{fd}")
