"""The plate cache: by bytes, one build for many callers, nobody's failure spoils another's picture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from service.clock import CancelledError, Clock
from service.errors import Code, MockupError
from service.plates import Plates
from service.render.plate import Plate
from service.scene import Stage, resolve
from service.settings import Settings

SIZE = 1000  # bytes a plate
WAIT = 20.0


def stage(width: int = 64) -> Stage:
    return replace(resolve(Settings.defaults(), (100, 200), fast=False).stage, width=width)


def plate(*_: object) -> Plate:
    return Plate(np.zeros((1, SIZE), np.uint8), None)


class Builder:
    """Counts its builds; each waits until it is let go."""

    def __init__(self, answer: Callable[[], Plate] = plate) -> None:
        self.built: list[int] = []
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.answer = answer

    def __call__(self, wanted: Stage, clock: Clock) -> Plate:
        self.built.append(wanted.width)
        self.begun.release()
        assert self.go.acquire(timeout=WAIT)
        clock.check()
        return self.answer()


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_a_plate_is_built_once_and_kept() -> None:
    built: list[Stage] = []

    def build(wanted: Stage, clock: Clock) -> Plate:
        built.append(wanted)
        return plate()

    plates = Plates(10 * SIZE, build)
    first = plates.get(stage(), Clock())
    assert plates.get(stage(), Clock()) is first
    assert len(built) == 1
    assert (plates.hits, plates.misses) == (1, 1)
    assert plates.nbytes == SIZE


def test_the_least_recently_used_goes_first() -> None:
    built: list[int] = []

    def build(wanted: Stage, clock: Clock) -> Plate:
        built.append(wanted.width)
        return plate()

    plates = Plates(3 * SIZE, build)
    for width in (1, 2, 3, 1, 4):
        plates.get(stage(width), Clock())
    assert plates.nbytes == 3 * SIZE
    for width in (1, 3, 4):
        plates.get(stage(width), Clock())
    assert built == [1, 2, 3, 4]
    plates.get(stage(2), Clock())
    assert built[-1] == 2


def test_a_plate_above_the_limit_is_made_and_not_kept() -> None:
    plates = Plates(SIZE - 1, plate)
    assert plates.get(stage(), Clock()).nbytes == SIZE
    assert plates.nbytes == 0
    assert Plates(0, plate).get(stage(), Clock()).nbytes == SIZE


def test_several_callers_share_one_build(threads: ThreadPoolExecutor) -> None:
    builder = Builder()
    plates = Plates(10 * SIZE, builder)
    asked = [threads.submit(plates.get, stage(), Clock()) for _ in range(5)]
    assert builder.begun.acquire(timeout=WAIT)
    builder.go.release()
    found = [one.result(WAIT) for one in asked]
    assert all(one is found[0] for one in found)
    assert len(builder.built) == 1


def test_different_stages_are_built_side_by_side(threads: ThreadPoolExecutor) -> None:
    builder = Builder()
    plates = Plates(10 * SIZE, builder)
    asked = [threads.submit(plates.get, stage(width), Clock()) for width in (1, 2)]
    assert all(builder.begun.acquire(timeout=WAIT) for _ in range(2))
    builder.go.release(2)
    assert {one.result(WAIT).nbytes for one in asked} == {SIZE}


def test_a_failed_build_is_not_remembered() -> None:
    answers: Iterator[Callable[[], Plate]] = iter([fail, plate])
    plates = Plates(10 * SIZE, lambda *_: next(answers)())
    with pytest.raises(RuntimeError, match="no"):
        plates.get(stage(), Clock())
    assert plates.get(stage(), Clock()).nbytes == SIZE


def fail() -> Plate:
    raise RuntimeError("no")


def test_who_waited_for_a_failed_build_builds_anew(threads: ThreadPoolExecutor) -> None:
    builder = Builder()
    plates = Plates(10 * SIZE, builder)
    hasty = Clock()
    first = threads.submit(plates.get, stage(), hasty)
    assert builder.begun.acquire(timeout=WAIT)
    others = [threads.submit(plates.get, stage(), Clock()) for _ in range(3)]
    # The first gives up; its leaving is nobody else's.
    hasty.cancel()
    builder.go.release()
    with pytest.raises(CancelledError):
        first.result(WAIT)
    assert builder.begun.acquire(timeout=WAIT)
    builder.go.release()
    found = [one.result(WAIT) for one in others]
    assert all(one is found[0] for one in found)
    assert len(builder.built) == 2


def test_who_waits_keeps_a_deadline_of_their_own(threads: ThreadPoolExecutor) -> None:
    builder = Builder()
    plates = Plates(10 * SIZE, builder)
    slow = threads.submit(plates.get, stage(), Clock())
    assert builder.begun.acquire(timeout=WAIT)
    with pytest.raises(MockupError) as caught:
        plates.get(stage(), Clock(0.05))
    assert caught.value.code is Code.RENDER_TIMEOUT
    left = Clock()
    waiting = threads.submit(plates.get, stage(), left)
    left.cancel()
    with pytest.raises(CancelledError):
        waiting.result(WAIT)
    builder.go.release()
    assert slow.result(WAIT).nbytes == SIZE
    assert len(builder.built) == 1
