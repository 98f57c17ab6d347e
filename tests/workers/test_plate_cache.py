"""The plate cache: its limit in bytes, one build for many callers, and failures that reach only the caller
they concern."""

from __future__ import annotations

import asyncio
import gc
import os
from dataclasses import replace

from service.processes.segments import DESCRIPTOR_BYTES, GRAIN, Segment
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec
from service.settings.schema import Settings
from service.workers.plate_cache import PlateCache, SharedPlate


def spec(width: int = 64) -> PlateSpec:
    return replace(resolve(Settings.defaults(), (100, 200), fast=False).spec, width=width)


def memory() -> int:
    """A descriptor of shared memory as large as the smallest plate."""
    segment = Segment(GRAIN)
    return os.dup(segment.fd)


async def built(cache: PlateCache, width: int) -> SharedPlate | None:
    """The plate that a caller gets; if nobody has built it, the caller does."""
    kept, builds = await cache.claim(spec(width))
    if builds:
        cache.built(spec(width), memory())
    return kept


async def test_a_plate_is_built_once_and_kept() -> None:
    cache = PlateCache(10 * GRAIN)
    assert await cache.claim(spec()) == (None, True)
    cache.built(spec(), memory())
    kept, builds = await cache.claim(spec())
    assert kept is not None
    assert not builds
    assert (cache.hits, cache.misses, cache.nbytes) == (1, 1, GRAIN)
    assert cache.live == {kept.serial}


async def test_the_least_recently_used_plate_is_removed_with_its_memory() -> None:
    cache = PlateCache(3 * GRAIN)
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for width in (1, 2, 3, 1, 4):
        await built(cache, width)
    assert cache.nbytes == 3 * GRAIN
    assert len(cache.live) == 3
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before + 3
    assert all([await built(cache, width) for width in (1, 3, 4)])
    assert await built(cache, 2) is None
    cache.clear()
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
    assert not cache.live


async def test_a_plate_in_use_outlives_its_eviction() -> None:
    cache = PlateCache(GRAIN)
    await built(cache, 1)
    kept = await built(cache, 1)
    await built(cache, 2)
    assert kept is not None
    assert os.fstat(kept.fd).st_size == GRAIN


async def test_several_callers_share_one_build() -> None:
    cache = PlateCache(10 * GRAIN)
    assert await cache.claim(spec()) == (None, True)
    others = [asyncio.ensure_future(cache.claim(spec())) for _ in range(5)]
    other = await cache.claim(spec(2))
    assert other == (None, True), "another plate waits for nobody"
    await asyncio.sleep(0)
    assert not any(task.done() for task in others)
    cache.built(spec(), memory())
    found = {(kept and kept.serial, builds) for kept, builds in await asyncio.gather(*others)}
    assert len(found) == 1
    assert found != {(None, False)}
    assert cache.misses == 2


async def test_a_waiting_caller_builds_after_a_failure() -> None:
    cache = PlateCache(10 * GRAIN)
    await cache.claim(spec())
    others = [asyncio.ensure_future(cache.claim(spec())) for _ in range(3)]
    await asyncio.sleep(0)
    cache.settle(spec())
    for _ in range(4):
        await asyncio.sleep(0)
    (second,) = [task for task in others if task.done()]
    assert second.result() == (None, True)
    cache.built(spec(), memory())
    assert sorted(builds for _, builds in await asyncio.gather(*others)) == [False, False, True]
    cache.settle(spec())  # nobody is building this plate, so nothing happens


async def test_a_plate_that_is_too_large_is_built_by_each_without_waiting() -> None:
    cache = PlateCache(GRAIN - 1)
    await cache.claim(spec())
    others = [asyncio.ensure_future(cache.claim(spec())) for _ in range(3)]
    await asyncio.sleep(0)
    cache.built(spec(), None)
    assert await asyncio.gather(*others) == [(None, False)] * 3
    assert cache.nbytes == 0


async def test_waiting_callers_get_a_plate_that_is_not_kept() -> None:
    cache = PlateCache(GRAIN - 1)
    await cache.claim(spec())
    others = [asyncio.ensure_future(cache.claim(spec())) for _ in range(3)]
    await asyncio.sleep(0)
    cache.built(spec(), memory())
    assert all(kept and not builds for kept, builds in await asyncio.gather(*others))
    assert cache.nbytes == 0


async def test_small_plates_are_bounded_in_number_too() -> None:
    cache = PlateCache(10 * DESCRIPTOR_BYTES)
    for width in range(1, 30):
        await cache.claim(spec(width))
        cache.built(spec(width), os.memfd_create("small"))
    assert len(cache.live) == 10


async def test_leaving_callers_do_not_end_others_waits() -> None:
    cache = PlateCache(10 * GRAIN)
    await cache.claim(spec())
    leaving, staying = (asyncio.ensure_future(cache.claim(spec())) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert leaving.cancelled()
    cache.built(spec(), memory())
    assert (await staying)[0] is not None


async def test_plates_that_are_kept_or_being_built_are_in_the_cache() -> None:
    cache = PlateCache(10 * GRAIN)
    assert spec() not in cache
    await cache.claim(spec())
    assert spec() in cache
    cache.built(spec(), memory())
    assert spec() in cache
    assert spec(65) not in cache
