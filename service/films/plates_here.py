"""The plates of a film's frames, built in the process that paints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..clock import Clock
from ..render.paint.screens import view
from ..render.plates import plate
from ..settings.scene import PlateSpec
from .film import Film
from .in_between import KeyPlates
from .key_poses import Place, places
from .plate_store import BuiltPlate, PlateStore


class FilmPlates(Protocol):
    """Where the plates of frames come from."""

    def get(self, spec: PlateSpec) -> BuiltPlate:
        """The plate of an exposure's plate spec, valid until the next call; raises MockupError."""
        ...


class PlatesHere:
    """Builds plates when they are requested, in any order."""

    def __init__(self, film: Film, store: PlateStore, times: Sequence[float], clock: Clock) -> None:
        """`times` are those of a film's exposures, seconds; a plate of any other time is built without
        blending.

        `store` caches plates.
        """
        self._store, self._clock = store, clock
        self._plates, self._coming = KeyPlates(film, clock), places(film, times)
        self._places: dict[PlateSpec, Place] = {}

    def get(self, spec: PlateSpec) -> BuiltPlate:
        """As `FilmPlates.get`."""
        if kept := self._store.take(spec):
            return kept
        while spec not in self._places and (found := next(self._coming, None)):
            self._places[found[0]] = found[1]
        place = self._places.get(spec)
        if place is None:
            return self._store.add(spec, plate.build(spec, self._clock, view(spec)))
        return self._store.join(spec, self._plates.make(place), self._plates.first)
