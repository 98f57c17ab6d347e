"""Decompression bombs over HTTP: each is a 400 that names the fault, and memory does not grow."""

from __future__ import annotations

import pytest

from benchmarks.speed.memory import Peak, pss_mb
from tests.faults.bombs import BOMBS, PASSED_OVER
from tests.support import pictures
from tests.support.live import Live

pytestmark = pytest.mark.long

MB = 10**6
# Memory for a picture of 40 megapixels, which some of the files claim to be: rows, pixels and shared memory.
ROOM_MB = 470


@pytest.mark.alone
def test_every_bomb_is_a_400_and_memory_is_bounded(server: Live) -> None:
    key = server.key()
    assert server.mockup(key).status == 200
    before = pss_mb(server.process.pid)
    with Peak(server.process.pid, every_s=0.02) as peak:
        for name, make in BOMBS.items():
            answer = server.mockup(key, screenshot_base64=pictures.text(make()))
            assert (answer.status, answer.code) == (400, "INVALID_REQUEST"), (name, answer.body[:300])
            assert list(answer.details) == ["screenshot_base64"], name
            for inside in (b"Traceback", b"/service/", b"cv2", b"libpng", b"PIL", b"numpy"):
                assert inside not in answer.body, name
        for name, make in PASSED_OVER.items():
            answer = server.mockup(key, screenshot_base64=pictures.text(make()))
            assert answer.status == 200, (name, answer.body[:300])
    assert peak.mb < before + ROOM_MB
    assert server.mockup(key).status == 200


@pytest.mark.parametrize("name", ["png of 600 megabytes", "jpeg of 400 scans", "iCCP"])
def test_files_of_bombs_are_small(name: str) -> None:
    assert len(BOMBS[name]()) < 3 * MB
