"""Shared memory: sizes, reuse, and what is kept."""

from __future__ import annotations

import mmap
import os

import pytest

from service.processes.segments import Segments, sealed

MIB = 2**20


def test_segments_are_whole_mebibytes() -> None:
    segments = Segments()
    assert [segments.take(size).size for size in (1, MIB, MIB + 1)] == [MIB, MIB, 2 * MIB]


def test_a_returned_segment_is_taken_again_unless_it_is_far_too_large() -> None:
    segments = Segments()
    large = segments.take(5 * MIB)
    segments.give(large)
    # Up to twice the size and a mebibyte more is not too large.
    assert segments.take(2 * MIB - 1) is not large
    assert segments.take(5 * MIB + 1) is not large
    assert segments.take(2 * MIB) is large
    assert segments.take(2 * MIB) is not large, "it is lent"
    segments.give(large)
    assert segments.take(5 * MIB) is large


def test_the_smallest_that_fits_is_taken() -> None:
    segments = Segments()
    lent = [segments.take(size * MIB) for size in (4, 3, 5)]
    for one in lent:
        segments.give(one)
    assert segments.take(2 * MIB) is lent[1]


def test_the_longest_unused_are_dropped_beyond_the_limit() -> None:
    segments = Segments(5 * MIB)
    first, second, third = (segments.take(2 * MIB) for _ in range(3))
    segments.give(first)
    segments.give(second)
    segments.give(third)
    assert [segments.take(2 * MIB) for _ in range(2)] == [second, third]
    fitting = Segments(4 * MIB)
    lent = [fitting.take(2 * MIB) for _ in range(2)]
    for one in lent:
        fitting.give(one)
    assert [fitting.take(2 * MIB) for _ in range(2)] == lent


def test_nothing_is_kept_after_trimming_or_closing() -> None:
    segments = Segments()
    one = segments.take(MIB)
    segments.give(one)
    segments.trim()
    assert segments.take(MIB) is not one
    segments.close()
    segments.give(one)
    assert segments.take(MIB) is not one


def test_lent_memory_comes_back_when_nothing_refers_to_it() -> None:
    segments = Segments()
    one = segments.take(MIB)
    one.fill(b"abc", memoryview(b"de"))
    view = segments.lend(one, 5)
    assert bytes(view) == b"abcde"
    assert segments.take(MIB) is not one
    del view
    assert segments.take(MIB) is one


def test_sealed_memory_cannot_change() -> None:
    fd = sealed(memoryview(b"abc"))
    try:
        assert os.pread(fd, 10, 0) == b"abc"
        for change in (
            lambda: os.pwrite(fd, b"x", 0),
            lambda: os.ftruncate(fd, 1),
            lambda: os.ftruncate(fd, 9),
        ):
            with pytest.raises(PermissionError):
                change()
        with pytest.raises(PermissionError):
            mmap.mmap(fd, 3)
    finally:
        os.close(fd)


def test_other_processes_cannot_resize_a_segment() -> None:
    one = Segments().take(MIB)
    for size in (1, 2 * MIB):
        with pytest.raises(PermissionError):
            os.ftruncate(one.fd, size)
