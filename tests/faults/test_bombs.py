"""Bombs over HTTP: each is a 400 that names what is wrong, and the server's memory stays where it was."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from benchmarks.processes import usage
from tests import pictures
from tests.faults.bombs import BOMBS, PASSED_OVER
from tests.live import Live

MEGABYTE = 2**20
# What a picture of 40 megapixels takes, as some of them claim to be: rows, pixels and shared memory.
ROOM = 450 * MEGABYTE


@contextmanager
def watched(pid: int) -> Iterator[list[int]]:
    """Memory of a process tree, taken again and again."""
    seen, stop = [usage(pid).pss], threading.Event()

    def watch() -> None:
        while not stop.wait(0.02):
            seen.append(usage(pid).pss)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def test_every_bomb_is_a_400_and_memory_is_bounded(server: Live) -> None:
    key = server.key()
    assert server.mockup(key).status == 200
    with watched(server.process.pid) as memory:
        for name, make in BOMBS.items():
            answer = server.mockup(key, screenshot_base64=pictures.text(make()))
            assert (answer.status, answer.code) == (400, "INVALID_REQUEST"), (name, answer.body[:300])
            assert list(answer.details) == ["screenshot_base64"], name
            for inside in (b"Traceback", b"/service/", b"cv2", b"libpng", b"PIL", b"numpy"):
                assert inside not in answer.body, name
        for name, make in PASSED_OVER.items():
            answer = server.mockup(key, screenshot_base64=pictures.text(make()))
            assert answer.status == 200, (name, answer.body[:300])
    assert max(memory) < memory[0] + ROOM, f"{max(memory) / MEGABYTE:.0f} MB"
    assert server.mockup(key).status == 200


@pytest.mark.parametrize("name", ["png of 600 megabytes", "jpeg of 400 scans", "iCCP"])
def test_the_bombs_are_small_themselves(name: str) -> None:
    assert len(BOMBS[name]()) < 3 * MEGABYTE
