"""Idle work is done once the process rests, once each time, and never after the end."""

from __future__ import annotations

import asyncio
import mmap
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from service.system import idle, peaks
from service.system.idle import Idle, give_back, private
from service.system.peaks import SPARE, give_back_peaks
from tests.support.waiting import until


class Time:
    """A clock that the tests move."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(idle, "time", clock)
    return clock


def test_one_call_follows_any_number_of_touches(clock: Time) -> None:
    calls: list[float] = []
    resting = Idle(0.02, lambda: calls.append(clock.now))
    for _ in range(50):
        resting.touch()
    clock.now = 101
    until(lambda: calls)
    resting.touch()
    clock.now = 102
    until(lambda: len(calls) == 2)
    clock.now = 200
    resting.close()
    assert calls == [101, 102]


def test_work_waits_while_something_happens(clock: Time) -> None:
    calls: list[float] = []
    resting = Idle(1.0, lambda: calls.append(clock.now))
    for _ in range(10):
        clock.now += 0.9
        resting.touch()
    assert not calls
    clock.now += 1.1
    until(lambda: calls)
    resting.close()
    assert calls == [clock.now]


def test_closing_prevents_pending_work(clock: Time) -> None:
    calls: list[float] = []
    resting = Idle(3600, lambda: calls.append(clock.now))
    resting.touch()
    resting.close()
    assert not calls


def test_nothing_is_called_after_the_end() -> None:
    calls: list[int] = []
    resting = Idle(0.0, lambda: calls.append(1))
    resting.close()
    resting.touch()
    assert all(thread.name != "idle" for thread in threading.enumerate())
    assert not calls


def test_memory_can_be_given_back() -> None:
    give_back()


@pytest.mark.parametrize(
    ("sizes", "given"),
    [
        # The cases are a peak that has passed, a peak that grows again, and one too small to be worth the
        # work.
        ([0, 2 * SPARE, 2 * SPARE, 2 * SPARE, 0], ["trim 1", "give_back 3"]),
        ([0, 2 * SPARE, 0, 3 * SPARE, 0], ["trim 1", "trim 3"]),
        ([0, SPARE // 2, SPARE // 2, SPARE // 2], []),
        # Twenty MiB are worth it, eight are not.
        ([0, *[20 * 2**20] * 3, 0], ["trim 1", "give_back 3"]),
        ([0, *[8 * 2**20] * 3, 0], []),
        # Growth is measured from the smallest size so far.
        ([4 * SPARE, SPARE, 3 * SPARE, 0], ["trim 2"]),
        # If the memory stays in use after an attempt to give it back, the next attempt waits until there is
        # more of it.
        ([0, 2 * SPARE, 2 * SPARE, 2 * SPARE, 2 * SPARE, 2 * SPARE], ["trim 1", "give_back 3"]),
        ([0, *[2 * SPARE] * 5, *[4 * SPARE] * 3, SPARE], ["trim 1", "give_back 3", "trim 6", "give_back 8"]),
    ],
)
def test_a_peak_is_given_back(sizes: list[int], given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    looked = iter(range(len(sizes)))
    did: list[str] = []
    now = 0

    def size() -> int:
        nonlocal now
        now = next(looked)
        return sizes[now]

    monkeypatch.setattr(peaks, "LOOK_S", 0.0)
    monkeypatch.setattr(peaks, "REST_S", 0.0)
    for name in ("trim", "give_back"):
        monkeypatch.setattr(peaks, name, lambda name=name: did.append(f"{name} {now}"))
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(give_back_peaks(size))
    assert did == given


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it otherwise")
def test_own_memory_is_known() -> None:
    before = private()
    # The test maps new pages, because the heap would not return its memory to the system.
    with mmap.mmap(-1, 64 * 2**20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        held.write(b"x" * len(held))
        assert private() > before + len(held) // 2


# The script runs in a separate process, so that nothing else has enlarged its heap.
PAGES = """
import resource
import numpy as np
from service.system.idle import HEAP_BLOCK, give_back, settle_heap

def work():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    pictures = [np.ones(HEAP_BLOCK // 4, np.uint8) for _ in range(6)]
    del pictures
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

settle_heap()
first, again = work(), max(work() for _ in range(3))
give_back()
print(first, again, work())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other heaps")
def test_pages_stay_between_renders() -> None:
    done = subprocess.run([sys.executable, "-c", PAGES], check=True, capture_output=True, text=True)
    first, again, after = map(int, done.stdout.split())
    assert first > 50, "huge pages aside, memory is new"
    assert again < first / 4
    assert after > first / 4, "what was given back is new again"


def test_loaded_objects_are_exempt_from_garbage_collection() -> None:
    script = (
        "import gc, service.settings.schema; from service.system.idle import freeze; freeze(); "
        "assert gc.get_freeze_count() > 10000; assert len(gc.get_objects()) < 1000"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(("text", "pages"), [("900 70 30 5 0 60 0\n", 40), ("900 70\n", 0), (None, 0)])
def test_private_memory_is_0_if_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, pages: int
) -> None:
    if text is not None:
        (tmp_path / "statm").write_text(text)
    monkeypatch.setattr(idle, "_STATM", tmp_path / "statm")
    assert private() == pages * resource.getpagesize()
