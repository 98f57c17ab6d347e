"""Plates of films: they are compressed and cached for later frames, and other processes build them ahead of
time."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.errors import MockupError
from service.films.film import Film, FilmedFile, resolve_film
from service.films.messages import PLATES, FilmRequest
from service.films.motion import whole_rounds
from service.films.plate_builder import MADE, MAX_FAULT, PLACE, options
from service.films.plate_store import BuiltPlate, PlateStore, difference
from service.films.plates_ahead import QUEUED, PlatesAhead, builders
from service.films.scratch import Scratch, nameless
from service.films.source import RecordingFacts
from service.processes import packing
from service.processes.forks import ForkServer
from service.processes.segments import Segment
from service.processes.worker import NUMBER, Worker
from service.render.compose import exposure
from service.render.geometry.raster import Box
from service.render.paint import screens
from service.render.plates import plate
from service.render.plates.plate import Plate
from service.settings.merge import MergedSettings
from service.settings.motion import Motion
from service.settings.scene import PlateSpec

ROOM = 1 << 20  # bytes
FLOOR: dict[str, object] = {"kind": "floor", "reflectivity": 0.8}


def film(
    background: str = "#F2F3F5",
    ground: dict[str, object] | None = None,
    device: str = "pixel-9-pro",
    seconds: float = 0.24,
) -> Film:
    """A film of 25 frames a second, by default six, in which each pose is shown twice."""
    settings = {
        "device": device,
        "canvas": {"width": 160, "height": 120},
        "appearance": {"backgroundColor": background},
        "ground": ground or {},
        "deviceTransform": {"rotationX": 10, "positionY": 0.4, "scale": 0.6} if ground else {},
    }
    motion = {
        "duration": seconds,
        "fps": 25,
        "seamless": True,
        "keyframes": [
            {"at": at, "ease": "linear", "deviceTransform": {"rotationY": turn}}
            for at, turn in ((0, 0), (0.04, 20), (0.08, 40), (0.12, 0), (0.16, 20), (0.2, 40))
        ],
    }
    wanted = FilmRequest(MergedSettings(settings).resolve(), Motion.model_validate(motion))
    return resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 1.0, 25.0)))


def built(spec: PlateSpec) -> Plate:
    return plate.build(spec, Clock(), screens.view(spec))


def same(one: Plate, other: Plate) -> bool:
    """Whether two plates give the same pictures: identical ones with a black screen, and ones within a level
    of each other with other screenshots."""
    return all(
        cv2.absdiff(*(shown(plate, level) for plate in (one, other))).max() <= (1 if level else 0)
        for level in (0, 40, 128, 255)
    )


def whole(kept: BuiltPlate | None, store: PlateStore) -> Plate:
    """A plate as frames show it."""
    assert kept is not None
    return kept.drawn(store.first.copy())


def shown(plate: Plate, level: int) -> U8:
    """The picture with a screenshot of one grey."""
    box = Box(0, 0, plate.base.shape[1], plate.base.shape[0])
    shots = [np.full((*one.gain.shape, 3), level, np.uint8) if one else None for one in plate.layers]
    return exposure.part(plate, shots, box)


@pytest.mark.parametrize("background", ["#F2F3F5", "transparent"])
def test_plates_are_restored_unchanged(background: str) -> None:
    specs = [film(background).spec(number / 25) for number in range(6)]
    assert list(Counter(specs).values()) == [2, 2, 2]
    fd = nameless()
    store, first = PlateStore(specs, Scratch(fd, ROOM)), built(specs[0])
    plates = {specs[0]: first} | {spec: built(spec) for spec in specs[1:3]}
    for spec in specs[:3]:
        assert store.take(spec) is None
        kept = store.add(spec, plates[spec])
        changed = np.argwhere((first.base != plates[spec].base).any(axis=2))
        for y, x in (changed.min(axis=0), changed.max(axis=0)) if len(changed) else ():
            assert Box(int(x), int(y), 1, 1).clipped(kept.span).area
    assert 0 < os.fstat(fd).st_size < sum(one.nbytes for one in plates.values()) / 3
    for spec in specs[3:]:
        assert same(whole(store.take(spec), store), plates[spec])
    assert not any(spec in store for spec in specs[:2]), "nobody needs them any more"


def test_reflections_of_floors_survive_the_store() -> None:
    specs = [film(ground=FLOOR).spec(number / 25) for number in range(6)]
    store = PlateStore(specs)
    plates = {spec: built(spec) for spec in specs[:3]}
    for spec in specs[:3]:
        assert plates[spec].mirrors
        store.add(spec, plates[spec])
    for spec in specs[3:]:
        kept = whole(store.take(spec), store)
        assert same(kept, plates[spec])
        own, other = kept.mirrors[0], plates[spec].mirrors[0]
        assert own is not None
        assert other is not None
        assert other.haze is not None
        assert pickle.dumps(own.haze) == pickle.dumps(other.haze)


def test_screens_whose_boxes_overlap_survive_the_store() -> None:
    specs = [film(device="galaxy-z-fold-7-half-open").spec(number / 25) for number in range(6)]
    store = PlateStore(specs)
    plates = {spec: built(spec) for spec in specs[:3]}
    for spec in specs[:3]:
        store.add(spec, plates[spec])
    one, other = (layer.box for layer in plates[specs[1]].screens if layer)
    assert one.clipped(other).area
    for spec in specs[3:]:
        assert same(whole(store.take(spec), store), plates[spec])


def test_the_same_plate_twice_is_neither_packed_nor_built_again() -> None:
    spec = film().spec(0)
    store, made = PlateStore([spec] * 3), built(spec)
    kept = store.add(spec, made)
    assert store.take(spec) is kept
    assert kept.screens is made.screens
    assert np.shares_memory(kept.base, made.base)
    alone = replace(BuiltPlate.of(made), screens=())
    assert difference(made.base, alone) == Box(0, 0, 0, 0)


def test_plates_are_kept_in_a_file_that_has_no_name(tmp_path: Path) -> None:
    """The file lies beside the film, or in memory if the folder cannot have such files; on a full disk, no
    plate is kept."""
    specs = [film().spec(number / 25) for number in (0, 1, 0, 1)]
    plates = {spec: built(spec) for spec in specs[:2]}
    with (tmp_path / "film").open("wb") as output:
        beside = nameless(output.fileno())
    full = os.open("/dev/full", os.O_RDWR)
    for fd, kept in ((beside, True), (nameless(), True), (full, False)):
        store = PlateStore(specs, Scratch(fd, ROOM))
        for spec in specs[:2]:
            store.add(spec, plates[spec])
        size = os.fstat(fd).st_size
        assert [store.take(spec) is not None for spec in (specs[2], specs[1])] == [kept, True]
        assert (size > 1000) is kept
    assert [one.name for one in tmp_path.iterdir()] == ["film"]
    # The folder /proc/self cannot have files without a name.
    with open("/proc/self/status", "rb") as status:
        fd = nameless(status.fileno())
    assert os.readlink(f"/proc/self/fd/{fd}").startswith("/memfd:")
    in_memory = Scratch(fd, ROOM)
    assert in_memory.keep(b"plate") == (0, 5)
    assert in_memory.keep(b"more") == (5, 4)
    assert in_memory.read((5, 4)) == b"more"


def test_the_store_respects_its_limit() -> None:
    specs = [film().spec(number / 25) for number in range(6)]
    fd = nameless()
    store = PlateStore(specs, Scratch(fd, 0))
    for spec in specs[:3]:
        store.add(spec, built(spec))
    assert os.fstat(fd).st_size == 0
    assert store.take(specs[3]) is None


# With a room of 0 bytes no plate is kept, so each is built again. A floor's reflection must be the same, too.
# One case is enough for it, since each process first prepares the floor's light.
@pytest.mark.parametrize(
    ("ground", "ways"),
    [({}, ((1, ROOM), (3, ROOM), (2, 0))), (FLOOR, ((2, ROOM),))],
    ids=["none", "floor"],
)
def test_processes_build_the_same_plates_in_any_number(
    forks: ForkServer, ground: dict[str, object], ways: tuple[tuple[int, int], ...]
) -> None:
    wanted = film(ground=ground)
    times = [number / 25 for number in range(6)]
    specs = list(map(wanted.spec, times))
    alone = {spec: built(spec) for spec in specs[:3]}
    for count, limit in ways:
        store = PlateStore(specs, Scratch(nameless(), limit))
        ahead = PlatesAhead(forks, wanted, store, times, Clock())
        try:
            ahead.start(count, nice=0)
            for spec in specs:
                assert same(whole(ahead.get(spec), store), alone[spec])
        finally:
            ahead.close()


# With a room of 0 bytes, plates are built until the end.
@pytest.mark.parametrize(("limit", "running"), [(ROOM, [1, 1, 0, 0, 0, 0]), (0, [1, 1, 1, 1, 1, 0])])
def test_processes_end_when_the_plates_of_all_later_frames_are_cached(
    forks: ForkServer, limit: int, running: list[int]
) -> None:
    wanted, times = film(), [number / 25 for number in range(6)]
    specs = list(map(wanted.spec, times))
    ahead = PlatesAhead(forks, wanted, PlateStore(specs, Scratch(nameless(), limit)), times, Clock())
    try:
        ahead.start(1, nice=0)
        found = list[int]()
        for spec in specs:
            ahead.get(spec)
            found.append(ahead.running)
        assert found == running
    finally:
        ahead.close()


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_processes_are_given_several_small_plates_at_once(
    forks: ForkServer, monkeypatch: pytest.MonkeyPatch, count: int, *, large: bool
) -> None:
    if large:
        monkeypatch.setattr("service.films.plates_ahead.AHEAD_BYTES", 0)
    wanted, times = film(seconds=0.8), [number / 25 for number in range(16)]
    specs = list(map(wanted.spec, times))
    ahead = PlatesAhead(forks, wanted, PlateStore(specs, Scratch(nameless(), 0)), times, Clock())
    try:
        ahead.start(count, nice=0)
        ahead.get(specs[0])
        for spec in specs[1:4]:
            ahead.get(spec)
            # One of them has just been taken.
            assert ahead.under_way <= count + 1 if large else ahead.under_way >= QUEUED * count - 1
    finally:
        ahead.close()


def test_a_plate_without_a_descriptor_is_an_error(forks: ForkServer) -> None:
    """If no descriptor is left, the kernel drops that of a plate's memory."""
    wanted, times = film(), [0.0, 0.04]
    specs = list(map(wanted.spec, times))
    ahead = PlatesAhead(forks, wanted, PlateStore(specs, Scratch(nameless(), ROOM)), times, Clock())
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        ahead.start(1, nice=0)
        ahead.get(specs[0])
        # Garbage could close a descriptor below the limit.
        gc.collect()
        gc.disable()
        unused = os.dup(0)
        os.close(unused)
        resource.setrlimit(resource.RLIMIT_NOFILE, (unused, limits[1]))
        with pytest.raises(MockupError):
            ahead.get(specs[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        gc.enable()
        ahead.close()


def test_memory_of_a_plate_is_used_again_once_it_is_unused(forks: ForkServer) -> None:
    worker = Worker(forks, PLATES, options(0))
    try:
        channel = worker.ready().channel
        told = packing.pack((film(), 0.0), Segment)
        socket.send_fds(channel, [b"f"], [told.fd])

        def made(time: float, *unused: int) -> tuple[int, int]:
            """The number of a plate, and the inode of its memory. The first plate brings its base, too."""
            channel.send(PLACE.pack(time, time, time) + b"".join(map(NUMBER.pack, unused)))
            message, fds, _, _ = socket.recv_fds(channel, MAX_FAULT, 2)
            memory = os.fstat(fds[0]).st_ino
            assert len(fds) == (1 if time else 2)
            for fd in fds:
                os.close(fd)
            return NUMBER.unpack(message.removeprefix(MADE))[0], memory

        first, one, other = (made(number / 25) for number in range(3))
        assert len({first, one, other}) == len({first[1], one[1], other[1]}) == 3
        assert made(1 / 25, one[0])[1] == one[1]
    finally:
        worker.end()


def test_a_processor_is_left_to_paint_frames() -> None:
    assert [builders(processors) for processors in (1, 2, 4, 16)] == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("rounds", "count", "found"),
    [(3.75, 450, 3), (2.0, 240, 2), (2.5, 300, 3), (0.2, 24, 1), (3.75, 449, 4), (1.0, 7, 1)],
)
def test_rounds_repeat_their_frames_where_possible(rounds: float, count: int, found: int) -> None:
    assert whole_rounds(rounds, count) == found
