"""The cache of decoded screenshots: what it keeps, for which users, and for how long."""

from __future__ import annotations

import errno
import os

import pytest

from service.codec.picture import Header
from service.engine.request import ScreenshotId, by_digest
from service.limits import KEPT_S
from service.processes.segments import DESCRIPTOR_BYTES, sealed
from service.workers.screenshot_cache import DecodedScreenshot, ScreenshotCache

SIZE = DESCRIPTOR_BYTES
HEADER = Header("png", 1, 1)


def upload(number: int = 1, owner: str = "user:a") -> ScreenshotId:
    return ScreenshotId(owner, f"upload {number}", uploaded=True)


def decoded(id: ScreenshotId, size: int = SIZE) -> DecodedScreenshot:
    return DecodedScreenshot(id, HEADER, (1, size, 1), sealed(memoryview(bytes(size))))


def filled(count: int, *ids: ScreenshotId) -> ScreenshotCache:
    """A cache with room for `count` screenshots, filled with these."""
    cache = ScreenshotCache(count * SIZE)
    for id in ids:
        cache.keep(decoded(id))
    return cache


def names(cache: ScreenshotCache) -> list[tuple[str, str]]:
    return [(id.owner, id.name) for id in cache]


def test_the_least_recently_used_goes_first() -> None:
    cache = filled(2, upload(1), upload(2))
    assert cache.find(upload(1)) is not None
    cache.keep(decoded(upload(3)))
    assert cache.find(upload(2)) is None
    assert cache.find(upload(1)) is not None
    assert cache.nbytes == 2 * SIZE


def test_the_user_who_holds_most_makes_room() -> None:
    mine = [upload(number, "user:a") for number in range(3)]
    cache = filled(3, *mine)
    cache.keep(decoded(upload(1, "user:b")))
    assert cache.find(upload(1, "user:b")) is not None
    for number in range(10):
        cache.keep(decoded(upload(number, "user:a")))
    assert cache.find(upload(1, "user:b")) is not None, "however many another has"
    assert {id.owner for id in cache} == {"user:a", "user:b"}


def test_another_user_never_finds_the_screenshot() -> None:
    data = b"the same bytes"
    cache = filled(2, by_digest("user:a", data))
    assert cache.find(by_digest("user:a", data)) is not None
    assert cache.find(by_digest("user:b", data)) is None
    assert cache.find(by_digest("user:a", data + b".")) is None


def test_uploads_are_cached_at_once_and_others_when_repeated() -> None:
    cache = ScreenshotCache(3 * SIZE)
    sent = [by_digest("user:a", bytes([number])) for number in range(4)]
    assert cache.is_worth(upload(), SIZE)
    assert [cache.is_worth(sent[number], SIZE) for number in (0, 1, 0, 1, 0)] == [False] * 2 + [True] * 2 + [
        False
    ]
    assert not cache.is_worth(by_digest("user:b", b"\0"), SIZE), "what others sent does not count"


def test_screenshots_that_would_be_evicted_are_not_cached() -> None:
    cache = ScreenshotCache(3 * SIZE)
    sent = [by_digest("user:a", bytes([number])) for number in range(4)]
    for _ in range(3):
        assert not any(cache.is_worth(id, SIZE) for id in sent)
    assert not cache.is_worth(upload(), 3 * SIZE + 1)
    assert not ScreenshotCache(0).is_worth(upload(), 1)


def test_screenshots_expire_after_their_last_use() -> None:
    cache = filled(3, upload(1), upload(2))
    first, second = (cache.find(upload(number)) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert cache.expire(first.used) == first.used + KEPT_S
    assert cache.expire(first.used + KEPT_S) == second.used + KEPT_S
    assert names(cache) == [("user:a", "upload 2")]
    assert cache.expire(second.used + KEPT_S) is None
    assert cache.nbytes == 0


def test_forgotten_screenshots_free_their_memory_after_the_last_use() -> None:
    cache = filled(2, upload())
    found = cache.find(upload())
    assert found is not None
    fd = found.fd
    cache.forget(upload())
    cache.forget(upload())
    assert os.fstat(fd).st_size == SIZE
    del found
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        os.fstat(fd)


def test_a_screenshot_replaces_one_of_the_same_id() -> None:
    cache = filled(2, upload(), upload())
    assert cache.nbytes == SIZE
    cache.clear()
    assert cache.nbytes == 0
    assert cache.find(upload()) is None


def test_sealed_memory_cannot_be_changed() -> None:
    fd = sealed(memoryview(b"pixels"))
    try:
        assert os.pread(fd, 10, 0) == b"pixels"
        for change in (lambda: os.pwrite(fd, b"x", 0), lambda: os.ftruncate(fd, 3)):
            with pytest.raises(PermissionError):
                change()
    finally:
        os.close(fd)
