"""A least recently used cache, bounded by bytes, for functions that return arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from cachetools import LRUCache
from cachetools.keys import hashkey

from service.render.once import Once

P = ParamSpec("P")
T = TypeVar("T")

MIB = 1 << 20
ENTRY = 1 << 10  # bytes that an entry takes besides its arrays: key, objects, bookkeeping


class _Results(LRUCache[Hashable, T]):
    """Results within a limit of bytes, without those larger than that."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit, getsizeof=lambda made: ENTRY + nbytes(made))

    def __setitem__(self, key: Hashable, made: T) -> None:
        if ENTRY + nbytes(made) <= self.maxsize:
            super().__setitem__(key, made)


class Kept(Generic[P, T]):
    """A function that keeps up to `limit` bytes of its results, by its arguments or a `key` made of them.

    Safe to call from several threads: one does the work, others that want the same result wait for it. A
    result larger than the limit is returned but not kept.
    """

    def __init__(self, work: Callable[P, T], limit: int, key: Callable[..., Hashable]) -> None:
        self._work, self._key, self._results = work, key, _Results[T](limit)
        self._once: Once[Hashable, T] = Once(self._results)
        update_wrapper(self, work)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The kept result, or a new one."""
        return self._once.get(self._key(*args, **kwargs), lambda: self._work(*args, **kwargs))

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._results.currsize)

    def clear(self) -> None:
        """Drop every result."""
        self._once.clear()


def kept(limit: int, key: Callable[..., Hashable] = hashkey) -> Callable[[Callable[P, T]], Kept[P, T]]:
    """Decorate a function as `Kept`."""
    return lambda work: Kept(work, limit, key)


def nbytes(made: Any) -> int:
    """The bytes of the arrays in an array, a tuple or a dataclass, however nested."""
    if isinstance(made, np.ndarray):
        return made.nbytes
    if isinstance(made, tuple):
        return sum(nbytes(part) for part in made)
    if dataclasses.is_dataclass(made):
        return sum(nbytes(getattr(made, field.name)) for field in dataclasses.fields(made))
    return 0
