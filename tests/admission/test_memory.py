"""The division of a server's memory, compared with the shares that it is meant to have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.admission.memory import MemoryPlan, plan
from service.config import Config

MIB, GIB = 2**20, 2**30


def divided(total: int, at_once: int, **given: Any) -> MemoryPlan:
    return plan(Config(memory_bytes=total, **given), at_once)


def test_a_gibibyte_is_divided() -> None:
    # Nine tenths, without 112 MiB for the server and 56 MiB for each of two workers.
    free = 9 * GIB // 10 - 224 * MIB
    assert divided(GIB, 2) == MemoryPlan(
        plates=free // 8,
        screenshots=free // 6 - free // 8,
        in_flight=free // 6,
        renders=free // 2,
        alone=free - free // 5,
        # Connections take 128 KiB each of the last tenth, waiting requests 512 KiB each.
        connections=GIB // 10 // (128 * 1024),
        slots=free // 6 // (512 * 1024),
        spare=64 * MIB,
    )


def test_small_servers_get_a_little_of_everything() -> None:
    made = divided(64 * MIB, 2)
    assert made.renders == 32 * MIB
    assert (made.plates, made.connections, made.slots, made.spare) == (8 * MIB, 64, 128, 4 * MIB)


def test_large_servers_are_bounded_by_limits() -> None:
    made = divided(64 * GIB, 2, cache_bytes=3 * MIB, screenshot_cache_bytes=2 * MIB, max_connections=500)
    assert (made.plates, made.screenshots) == (3 * MIB, 2 * MIB)
    assert (made.in_flight, made.connections, made.slots, made.spare) == (512 * MIB, 500, 512, 256 * MIB)


def test_an_operators_queue_has_its_size_beside_the_renders() -> None:
    made = divided(GIB, 2, queue_size=7)
    assert made.slots == 9
    assert replace(divided(GIB, 2), slots=9) == made
