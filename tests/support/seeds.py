"""Tests of random cases: one test runs all seeds, and names the seeds that fail."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.looped import Test, looped


def seeded(count: int) -> Callable[[Test], Test]:
    """Run a test with each `seed` below `count`; its other arguments stay pytest's."""
    return looped("seed", range(count))
