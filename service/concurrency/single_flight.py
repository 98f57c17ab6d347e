"""Single flights: when several threads want the same value, one of them makes it for all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, MutableMapping
from threading import Condition, RLock
from typing import Any, Generic, ParamSpec, TypeVar

K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")
T = TypeVar("T")

MISSING: Any = object()  # stands for a missing value, since None can be a value


class SingleFlight(Generic[K, T]):
    """Values by key for several threads: one makes a value, others that want the same wait.

    They do not wait for values of other keys. An exception goes to the caller that tried to make the value,
    and the next caller tries again.
    """

    def __init__(self, values: MutableMapping[K, T] | None = None, *, shared: bool = False) -> None:
        """Keep values in a mapping, which may drop or refuse some; they are then made again.

        A mapping is `shared` if its `get` may run while another thread changes it, as a dict's may.
        """
        self._values: MutableMapping[K, T] = {} if values is None else values
        self._shared = shared or values is None
        # The lock is used directly, since entering through the condition takes ten times as long.
        self._lock = RLock()
        self._made = Condition(self._lock)
        self._under_way: set[K] = set()

    def get(self, key: K, make: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The value of a key, from `make(*args)` if there is none; `make` must not ask for the same key."""
        # Entering the lock would take longer than this look-up.
        kept: T = self._values.get(key, MISSING) if self._shared else MISSING
        if kept is not MISSING:
            return kept
        with self._lock:
            kept = self._values.get(key, MISSING)
            if kept is not MISSING:
                return kept
            while key in self._under_way:
                self._made.wait()
                kept = self._values.get(key, MISSING)
                if kept is not MISSING:
                    return kept
            self._under_way.add(key)
        try:
            made = make(*args, **kwargs)
            with self._lock, contextlib.suppress(ValueError):
                self._values[key] = made
            return made
        finally:
            with self._lock:
                self._under_way.remove(key)
                self._made.notify_all()

    def clear(self) -> None:
        """Drop every value."""
        with self._lock:
            self._values.clear()


def single_flight(make: Callable[[], T]) -> Callable[[], T]:
    """A function that calls `make` when it is first called, and always returns that result."""
    values: SingleFlight[None, T] = SingleFlight()
    return lambda: values.get(None, make)
