"""Start-time fair queueing (Goyal, Vin and Cheng, 1996): whoever has received least so far is next."""

from __future__ import annotations

from collections.abc import Container


class StartTimes:
    """Virtual start times of users' turns: the user with the earliest is next.

    A user begins at the level of the last turn, so that a newcomer gets a fair share from now on rather than
    all that others had before.
    """

    def __init__(self) -> None:
        """Start with no users."""
        self._given: dict[str, float] = {}
        self._level = 0.0

    def __len__(self) -> int:
        """Users that are remembered."""
        return len(self._given)

    def of(self, user: str) -> float:
        """When the next turn of `user` starts."""
        return max(self._level, self._given.get(user, 0.0))

    def begin(self, user: str, cost: float) -> None:
        """Start a turn of `user` with this estimated cost."""
        self._level = start = self.of(user)
        self._given[user] = start + cost

    def correct(self, user: str, difference: float) -> None:
        """Charge the difference between a turn's actual and its estimated cost."""
        self._given[user] += difference

    def forget(self, but: Container[str]) -> None:
        """Forget users whose turns would start at the current level anyway, except those in `but`."""
        self._given = {
            name: given for name, given in self._given.items() if given > self._level or name in but
        }

    def clear(self) -> None:
        """Forget all users, once nobody has a turn or waits for one."""
        self._given.clear()
        self._level = 0.0
