"""Functions that cache their results, which contain arrays, within a limit of bytes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from ..concurrency.single_flight import MISSING, SingleFlight

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20
ENTRY = 1 << 10  # bytes that an entry takes in addition to its arrays: key, objects, bookkeeping


class _Entry:
    """A result, its size in bytes, and whether it was used since the cache last checked it."""

    __slots__ = ("result", "size", "used")

    def __init__(self, result: Any, size: int) -> None:
        self.result, self.size, self.used = result, size, False


class _Kept(MutableMapping[Hashable, Any]):
    """A cache of up to `limit` bytes of results. The oldest is dropped first, unless it was used since it was
    last checked ("second chance").

    Unlike a cache in exact order of use, this one hashes a key only once per lookup.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self.nbytes, self.dropped = limit, 0, 0
        self._entries: dict[Hashable, _Entry] = {}

    def __getitem__(self, key: Hashable) -> Any:
        entry = self._entries[key]
        entry.used = True
        return entry.result

    def get(self, key: Hashable, default: Any = None) -> Any:
        # The base class's method would hash the key once more on a miss.
        entry = self._entries.get(key)
        if entry is None:
            return default
        entry.used = True
        return entry.result

    def __setitem__(self, key: Hashable, result: Any) -> None:
        size = ENTRY + nbytes(result)
        self.pop(key, None)
        if size > self._limit:
            return
        while self.nbytes + size > self._limit:
            oldest = next(iter(self._entries))
            entry = self._entries.pop(oldest)
            if entry.used:
                entry.used, self._entries[oldest] = False, entry
            else:
                self.nbytes -= entry.size
                self.dropped += 1
        self._entries[key] = _Entry(result, size)
        self.nbytes += size

    def __delitem__(self, key: Hashable) -> None:
        self.nbytes -= self._entries.pop(key).size

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        self._entries.clear()
        self.nbytes = self.dropped = 0


def _arguments(*args: Hashable, **kwargs: Hashable) -> Hashable:
    return (args, *kwargs.items()) if kwargs else args


class Memoized(Generic[P, T]):
    """A function that caches up to `limit` bytes of its results by its arguments, or by what `key` computes
    from them.

    The least recently used results are dropped first. Several threads may call it: one does the work, and
    others that want the same result wait for it. A result larger than the limit is returned but not kept.
    """

    def __init__(self, work: Callable[P, T], limit: int, key: Callable[..., Hashable]) -> None:
        self._work, self._key = work, key
        self._results = _Kept(limit)
        self._calls: SingleFlight[Hashable, T] = SingleFlight(self._results, shared=True)
        update_wrapper(self, work)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The cached result, or a new one."""
        key = self._key(*args, **kwargs)
        # Most results are cached, and this lookup takes a third of the time of a call to `_calls`.
        kept: T = self._results.get(key, MISSING)
        return self._calls.get(key, self._work, *args, **kwargs) if kept is MISSING else kept

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self._results.nbytes

    @property
    def dropped(self) -> int:
        """The number of results dropped to make room for others, since the cache was last cleared."""
        return self._results.dropped

    def clear(self) -> None:
        """Drop every result."""
        self._calls.clear()


def memoize(
    limit: int, key: Callable[..., Hashable] = _arguments
) -> Callable[[Callable[P, T]], Memoized[P, T]]:
    """Decorate a function to make it `Memoized`."""
    return lambda work: Memoized(work, limit, key)


def nbytes(result: Any) -> int:
    """The bytes of all arrays in a result: an array, a tuple or a dataclass, however nested."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, tuple):
        return sum(nbytes(part) for part in result)
    if dataclasses.is_dataclass(result):
        return sum(nbytes(getattr(result, field.name)) for field in dataclasses.fields(result))
    return 0
