"""The limits of connections, and how many of them the limit of open files allows."""

from __future__ import annotations

import resource
from dataclasses import dataclass

from .. import limits
from ..admission.memory import MemoryPlan
from ..config import Config
from ..processes.segments import DESCRIPTOR_BYTES

# Descriptors for everything but client connections, plates and decoded screenshots: files, renderers,
# fetches, the database.
RESERVED_FILES = 256


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of a connection; times in seconds, sizes in bytes, rates in bytes per second."""

    header_s: float = limits.HEADER_S
    body_s: float = limits.BODY_S
    idle_s: float = limits.IDLE_S
    head_bytes: int = limits.HEAD_BYTES
    headers: int = limits.HEADERS
    framing_bytes: int = limits.FRAMING_BYTES
    ahead_bytes: int = limits.AHEAD_BYTES
    discarded_bytes: int = limits.DISCARDED_BYTES
    connections: int = limits.CONNECTIONS
    least_rate: float = limits.LEAST_RATE


def limits_of(config: Config, plan: MemoryPlan) -> ConnectionLimits:
    """The configured limits; raises the process's limit of open files if necessary."""
    return ConnectionLimits(
        header_s=config.header_timeout_s,
        body_s=config.body_timeout_s,
        idle_s=config.idle_timeout_s,
        connections=room_for(plan.connections, (plan.plates + plan.screenshots) // DESCRIPTOR_BYTES),
    )


def room_for(connections: int, plates: int) -> int:
    """How many of `connections` the limit of open files allows besides `plates` and the reserved ones.

    Raises the process's soft limit if necessary. Connections get at least a quarter of the limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    reserved = RESERVED_FILES + plates
    needed = connections + reserved
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, max(soft - reserved, soft // 4)))
