"""Divides the memory that the service may use."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import Config
from ..system.container import memory

# Bytes of the idle server, its fork server and the one body that it parses at a time; and bytes of each
# worker with its decoder.
SERVER_BYTES = 112 * 2**20
WORKER_BYTES = 56 * 2**20
# Bytes of a connection that are charged to no user: a head or the start of a body, pipelined bytes, the end
# of a response.
CONNECTION_BYTES = 128 * 2**10
# A waiting request: its task, its unread body, its settings.
SLOT_BYTES = 512 * 2**10
# Share of the memory for everything but connections, which get the rest.
USABLE = 0.9
# Bytes that a renderer may keep after a picture, so that it need not ask the system for them again.
MOST_SPARE = 256 * 2**20
MEGABYTE = 2**20


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Bytes for plates, decoded screenshots, requests and renders; the numbers of connections and of waiting
    requests.

    `alone` is the memory that a render may take when it is the only one, including that reserved for others.
    `spare` is the memory that a renderer may keep after a picture, for the next one.
    """

    plates: int
    screenshots: int
    in_flight: int
    renders: int
    alone: int
    connections: int
    slots: int
    spare: int


def plan(config: Config, at_once: int) -> MemoryPlan:
    """Divide the memory of a server with `at_once` workers, within the limits that the settings set."""
    total = memory() if config.memory_bytes is None else config.memory_bytes
    free = max(64 * MEGABYTE, int(USABLE * total) - SERVER_BYTES - at_once * WORKER_BYTES)
    # Half is for renders, and a sixth for memory that their workers and the server keep for a while
    # afterwards.
    plates = min(config.cache_bytes, free // 8)
    screenshots = min(config.screenshot_cache_bytes, free // 6 - free // 8)
    in_flight = min(512 * MEGABYTE, free // 6)
    return MemoryPlan(
        plates=plates,
        screenshots=screenshots,
        in_flight=in_flight,
        renders=free // 2,
        alone=free - free // 5,
        connections=min(config.max_connections, max(64, int((1 - USABLE) * total) // CONNECTION_BYTES)),
        slots=_slots(in_flight) if config.queue_size is None else at_once + config.queue_size,
        spare=min(MOST_SPARE, total // 16),
    )


def _slots(in_flight: int) -> int:
    return max(128, min(512, in_flight // SLOT_BYTES))
