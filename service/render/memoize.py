"""Functions that cache their results, arrays, within a limit of bytes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from cachetools import LRUCache
from cachetools.keys import hashkey

from ..concurrency.single_flight import SingleFlight

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20
ENTRY = 1 << 10  # bytes that an entry takes besides its arrays: key, objects, bookkeeping


class Memoized(Generic[P, T]):
    """A function that keeps up to `limit` bytes of its results, by its arguments or a `key` made of them.

    The least recently used are dropped first. Several threads may call it: one does the work, and others that
    want the same result wait for it. A result larger than the limit is returned but not kept.
    """

    def __init__(self, work: Callable[P, T], limit: int, key: Callable[..., Hashable]) -> None:
        self._work, self._key = work, key
        self._results = LRUCache[Hashable, T](limit, getsizeof=lambda result: ENTRY + nbytes(result))
        self._calls = SingleFlight(self._results)
        update_wrapper(self, work)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The kept result, or a new one."""
        return self._calls.get(self._key(*args, **kwargs), lambda: self._work(*args, **kwargs))

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._results.currsize)

    def clear(self) -> None:
        """Drop every result."""
        self._calls.clear()


def memoize(limit: int, key: Callable[..., Hashable] = hashkey) -> Callable[[Callable[P, T]], Memoized[P, T]]:
    """Decorate a function as `Memoized`."""
    return lambda work: Memoized(work, limit, key)


def nbytes(result: Any) -> int:
    """The bytes of the arrays in an array, a tuple or a dataclass, however nested."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, tuple):
        return sum(nbytes(part) for part in result)
    if dataclasses.is_dataclass(result):
        return sum(nbytes(getattr(result, field.name)) for field in dataclasses.fields(result))
    return 0
