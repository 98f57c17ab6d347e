"""Objects in shared memory are unpacked without copies, and the memory lives as long as a reference to it."""

from __future__ import annotations

import gc
import os
import pickle

import numpy as np
import pytest

from service.processes import packing
from service.processes.segments import Segment, Segments
from service.render.geometry.raster import Box
from service.render.plates.plate import Plate, ScreenLayer


def handed_over(content: object, *, writable: bool = False) -> object:
    segment = packing.pack(content, Segment)
    return packing.unpack(packing.opened(os.dup(segment.fd), writable=writable))


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 100_000])
def test_buffers_of_any_size_come_through(size: int) -> None:
    data = os.urandom(size)
    got = handed_over((pickle.PickleBuffer(data), "between", pickle.PickleBuffer(data[:7])))
    assert isinstance(got, tuple)
    assert (bytes(got[0]), got[1], bytes(got[2])) == (data, "between", data[:7])


def test_a_plate_comes_through_without_a_copy_and_cannot_be_written() -> None:
    rng = np.random.default_rng(1)
    base = rng.integers(0, 256, (40, 50, 4), np.uint8)
    light = rng.integers(0, 65536, (20, 30, 3), np.uint16)
    layer = ScreenLayer(Box(1, 2, 31, 22), light, light[..., 0].copy(), np.eye(3), (70.0, 140.0))
    plate = Plate(base, (layer, None))
    got = handed_over(plate)
    assert isinstance(got, Plate)
    assert np.array_equal(got.base, base)
    screen, unseen = got.screens
    assert screen is not None
    assert unseen is None
    assert np.array_equal(screen.base, light)
    assert np.array_equal(screen.gain, light[..., 0])
    assert screen.size == layer.size
    assert got.nbytes == plate.nbytes
    for array in (got.base, screen.base, screen.gain):
        assert not array.flags.owndata
        assert not array.flags.writeable
        assert array.ctypes.data % packing.ALIGN == 0


def test_unpacked_objects_outlive_the_segment() -> None:
    segments = Segments()
    segment = packing.pack(np.arange(100_000), segments.take)
    got = packing.unpack(packing.opened(os.dup(segment.fd)))
    del segment
    segments.close()
    gc.collect()
    assert np.array_equal(got, np.arange(100_000))


def test_no_descriptor_is_left() -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        handed_over(np.arange(10_000))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


def test_flag_bytes_are_shared_and_start_at_zero() -> None:
    segments = Segments()
    segment = packing.pack("first", segments.take)
    segment.memory[0] = 1
    memory = packing.opened(os.dup(segment.fd), writable=True)
    assert memory[0] == 1
    memory[2] = 7
    assert segment.memory[2] == 7
    segments.give(segment)
    again = packing.pack("second", segments.take)
    assert again is segment
    assert bytes(again.memory[: packing.FRONT]) == bytes(packing.FRONT)
    assert packing.unpack(memory) == "second"
