"""The plates of a renderer: those that came along with jobs, and those it makes for all."""

from __future__ import annotations

import os
from collections.abc import Callable

from service.models.scene import PlateSpec
from service.processes import packing
from service.processes.segments import Segment
from service.render.plate import Plate


class WorkerPlates:
    """One plate at a time is at hand; those that all keep stay mapped."""

    def __init__(self, publish: Callable[[Segment | None], None]) -> None:
        """`publish` is told of a plate that was made for all, None when it is too large to be kept."""
        self._publish = publish
        self._mapped: dict[int, Plate] = {}
        self._at_hand: Plate | None = None
        self._keep: int | None = None

    def receive(self, serial: int, fd: int) -> None:
        """Have the plate behind a descriptor at hand for the next picture."""
        if serial in self._mapped:
            os.close(fd)
        else:
            self._mapped[serial] = packing.unpack(packing.opened(fd))
        self._at_hand = self._mapped[serial]

    def expect(self, keep: int | None) -> None:
        """Nothing is at hand for the next picture; publish what is made for it if given its most bytes."""
        self._at_hand, self._keep = None, keep

    def retain(self, living: frozenset[int]) -> None:
        """Let go of all plates but `living`."""
        for serial in self._mapped.keys() - living:
            del self._mapped[serial]

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the plate of the next picture is at hand."""
        return self._at_hand is not None

    def get(self, spec: PlateSpec, build: Callable[[], Plate]) -> Plate:
        """The plate at hand, or one that is built now."""
        if self._at_hand is not None:
            return self._at_hand
        plate = build()
        if self._keep is not None:
            self._publish(packing.pack(plate, Segment) if plate.nbytes <= self._keep else None)
            self._keep = None
        return plate
