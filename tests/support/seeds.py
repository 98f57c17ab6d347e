"""Tests of random cases: one test runs all seeds, and names the seed that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable


def seeded(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each `seed` below `count`; its other arguments stay pytest's."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every(**given: object) -> None:
            for seed in range(count):
                try:
                    test(seed=seed, **given)
                except BaseException as error:
                    error.add_note(f"seed={seed}")
                    raise

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name != "seed"]
        every.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return every

    return decorate
