"""A renderer's plates: those that came with jobs, and those that it builds for all renderers."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..processes import packing
from ..processes.segments import Segment
from ..render.plates.plate import Plate
from ..settings.scene import PlateSpec


class WorkerPlates:
    """The plates that a renderer has mapped: the current one, if any, and those that the server keeps."""

    def __init__(self, publish: Callable[[Segment | None], None]) -> None:
        """`publish` gets a plate that was built for all renderers, or None if it is too large to be kept."""
        self._publish = publish
        self._mapped: dict[int, Plate] = {}
        self._current: Plate | None = None
        self._keep: int | None = None
        self._spec: PlateSpec | None = None

    def receive(self, serial: int, fd: int) -> None:
        """Make the plate behind a descriptor current for the next picture."""
        if serial in self._mapped:
            os.close(fd)
        else:
            self._mapped[serial] = packing.unpack(packing.opened(fd))
        self._current = self._mapped[serial]

    def expect(self, spec: PlateSpec | None, keep: int | None) -> None:
        """Begin a picture of a plate spec that has no plate yet.

        If `keep` is given, a plate that is built for it is published unless it takes more than `keep` bytes.
        """
        self._current, self._spec, self._keep = None, spec, keep

    def retain(self, live: frozenset[int]) -> None:
        """Release all plates but `live`."""
        for serial in self._mapped.keys() - live:
            del self._mapped[serial]

    def __contains__(self, spec: PlateSpec) -> bool:
        """Whether the current plate is the one for the plate spec."""
        return self._current is not None and spec == self._spec

    def get(self, spec: PlateSpec, build: Callable[[], Plate]) -> Plate:
        """The current plate if it is the one for the plate spec, or one built now."""
        if self._current is not None and spec == self._spec:
            return self._current
        plate = build()
        # If the screenshot led to another scene than the server expected, nobody waits for this plate.
        if self._keep is not None and spec == self._spec:
            self._publish(packing.pack(plate, Segment) if plate.nbytes <= self._keep else None)
            self._keep = None
        return plate
