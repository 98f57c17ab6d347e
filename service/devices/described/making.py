"""Makes the devices of descriptions, and keeps some."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from cachetools import LRUCache

from ...concurrency.single_flight import SingleFlight
from ..device import Device
from ..families import making
from ..families.sheet import Sheet
from .console import console
from .description import Description, KindName
from .handheld import foldable, phone, tablet
from .laptop import laptop
from .measures import Measured, measured
from .monitor import monitor, television
from .nearest import Nearest
from .sheets import card, window
from .watch import watch

SHEETS: Mapping[KindName, Callable[[Measured], Sheet]] = {
    "phone": phone,
    "tablet": tablet,
    "foldable": foldable,
    "laptop": laptop,
    "monitor": monitor,
    "tv": television,
    "console": console,
    "watch": watch,
    "window": window,
    "card": card,
}

KEPT = 4 << 20  # bytes of devices that are cached
OBJECTS = 4  # bytes in memory for each byte of a device's JSON

devices: LRUCache[bytes, Device] = LRUCache(KEPT, lambda device: OBJECTS * len(device.model_dump_json()))
_flights = SingleFlight(devices)


def described(description: Description) -> Device:
    """The device of a `possible` description, with the id `custom`; cached by the description."""
    digest = hashlib.blake2b(description.model_dump_json().encode(), digest_size=16).digest()
    return _flights.get(digest, lambda: _made(description))


def _made(description: Description) -> Device:
    device = making.device(SHEETS[description.kind](measured(description)), Nearest())
    if len(device.orientations) == 1:
        # A described device has one orientation, the one that its description gives; this holds for upright
        # monitors, too.
        device = device.model_copy(update={"orientations": (device.natural,)})
    return device
