"""Values made once, however many threads want them at the same time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Once(Generic[K, T]):
    """Values by key, made when first wanted: by one thread, while others that want the same wait.

    They do not wait for values of other keys. What making one raises goes to the caller that made it, and the
    next one tries again.
    """

    def __init__(self, values: MutableMapping[K, T] | None = None) -> None:
        """Keep values in a mapping, which may drop some; they are then made again."""
        self._values: MutableMapping[K, T] = {} if values is None else values
        self._lock, self._making = Lock(), dict[K, Lock]()  # held by who makes the value

    def get(self, key: K, make: Callable[[], T]) -> T:
        """The value of a key, from `make` if there is none; that must not want the same one itself."""
        while True:
            with self._lock:
                try:
                    return self._values[key]
                except KeyError:
                    pass
                other = self._making.get(key)
                if other is None:
                    done = self._making[key] = Lock()
                    done.acquire()
                    break
            with other:
                pass
        try:
            made = make()
            with self._lock:
                self._values[key] = made
            return made
        finally:
            with self._lock:
                del self._making[key]
            done.release()

    def clear(self) -> None:
        """Drop every value."""
        with self._lock:
            self._values.clear()


def once(make: Callable[[], T]) -> Callable[[], T]:
    """A function that returns what `make` does, and calls it once, when first called itself."""
    values: Once[None, T] = Once()
    return lambda: values.get(None, make)
