"""Threads that encode the packets of one picture side by side."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def cpus() -> int:
    """The processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def pool() -> ThreadPoolExecutor:
    """The threads, as many as processors, started when first needed."""
    return ThreadPoolExecutor(cpus(), "encode")
