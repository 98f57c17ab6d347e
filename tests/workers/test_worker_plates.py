"""The plates of a renderer: which one is current, and which are sent back."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from service.processes import packing
from service.processes.segments import Segment
from service.render.plates.plate import Plate
from service.settings.resolve import resolve
from service.settings.schema import Settings
from service.workers.worker_plates import WorkerPlates

SPEC = resolve(Settings.defaults(), (100, 200), fast=False).spec
OTHER = replace(SPEC, width=64)


def plate(level: int) -> Plate:
    return Plate(np.full((4, 6, 3), level, np.uint8), ())


def level(of: Plate) -> int:
    return int(of.base[0, 0, 0])


def sent(of: Plate) -> int:
    """A descriptor of a plate's memory, as it comes with a job."""
    segment = packing.pack(of, Segment)
    return os.dup(segment.fd)


def never() -> Plate:
    raise AssertionError("no plate had to be built")


@pytest.fixture
def published() -> list[int | None]:
    return []


@pytest.fixture
def plates(published: list[int | None]) -> WorkerPlates:
    """Plates, of which those that are published leave their level."""

    def publish(segment: Segment | None) -> None:
        published.append(None if segment is None else level(packing.unpack(segment.memory)))

    return WorkerPlates(publish)


def test_a_plate_that_came_with_the_job_is_used(plates: WorkerPlates, published: list[int | None]) -> None:
    plates.expect(SPEC, None)
    assert SPEC not in plates
    plates.receive(1, sent(plate(10)))
    assert SPEC in plates
    assert OTHER not in plates
    assert level(plates.get(SPEC, never)) == 10
    assert level(plates.get(OTHER, lambda: plate(20))) == 20
    assert published == []


def test_plates_stay_mapped_until_the_server_drops_them(plates: WorkerPlates) -> None:
    for serial in (1, 2):
        plates.expect(SPEC, None)
        plates.receive(serial, sent(plate(serial)))
    first = sent(plate(99))
    plates.receive(1, first)
    assert level(plates.get(SPEC, never)) == 1, "the one that was mapped before"
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(first)
    plates.retain(frozenset({2}))
    plates.receive(2, sent(plate(99)))
    assert level(plates.get(SPEC, never)) == 2
    plates.receive(1, sent(plate(3)))
    assert level(plates.get(SPEC, never)) == 3


def test_a_plate_built_for_all_is_published_once(plates: WorkerPlates, published: list[int | None]) -> None:
    plates.expect(SPEC, plate(1).nbytes)
    assert level(plates.get(OTHER, lambda: plate(1))) == 1, "of another scene than the server expected"
    assert published == []
    assert level(plates.get(SPEC, lambda: plate(2))) == 2
    assert level(plates.get(SPEC, lambda: plate(3))) == 3
    assert published == [2]


@pytest.mark.parametrize(("keep", "found"), [(None, []), (plate(1).nbytes - 1, [None])])
def test_a_plate_that_is_not_kept_is_not_sent(
    plates: WorkerPlates, published: list[int | None], keep: int | None, found: list[int | None]
) -> None:
    plates.expect(SPEC, keep)
    assert level(plates.get(SPEC, lambda: plate(1))) == 1
    assert published == found
