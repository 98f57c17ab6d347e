"""Work is done when there is rest, once, and not after the end."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading

import numpy as np
import pytest

from service.idle import HEAP_BLOCK, Idle, give_back, settle_heap


def test_rest_brings_one_call_for_any_number_of_stirs() -> None:
    calls: list[int] = []
    came = threading.Event()

    def work() -> None:
        calls.append(1)
        came.set()

    idle = Idle(0.02, work)
    for _ in range(50):
        idle.stir()
    assert came.wait(10)
    came.clear()
    assert not came.wait(0.1)
    idle.stir()
    assert came.wait(10)
    idle.close()
    assert len(calls) == 2


def test_work_waits_while_something_happens() -> None:
    came = threading.Event()
    idle = Idle(3600, came.set)
    idle.stir()
    assert not came.wait(0.1)
    idle.close()
    assert not came.is_set()


def test_nothing_is_called_after_the_end() -> None:
    calls: list[int] = []
    idle = Idle(0.0, lambda: calls.append(1))
    idle.close()
    idle.stir()
    assert all(thread.name != "idle" for thread in threading.enumerate())
    assert not calls


def test_memory_can_be_given_back() -> None:
    give_back()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other heaps")
def test_pages_stay_between_renders() -> None:
    settle_heap()

    def work() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        pictures = [np.ones(HEAP_BLOCK // 4, np.uint8) for _ in range(6)]
        del pictures
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    first = work()
    assert first > 50, "huge pages aside, memory is new"
    assert max(work() for _ in range(3)) < first / 4
    give_back()
    assert work() > first / 4, "what was given back is new again"


def test_what_is_loaded_at_the_start_is_not_looked_through_again() -> None:
    script = (
        "import gc, service.settings; from service.idle import freeze; freeze(); "
        "assert gc.get_freeze_count() > 10000; assert len(gc.get_objects()) < 1000"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
