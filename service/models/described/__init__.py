"""Devices by description: measurements in a request become a sheet, and its family makes the device."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from threading import Lock

from cachetools import LRUCache

from service.models import families
from service.models.described.description import Description, Form
from service.models.described.handheld import phone, tablet
from service.models.described.laptop import laptop
from service.models.described.measures import Measured, measured
from service.models.described.monitor import monitor
from service.models.described.nearest import Nearest
from service.models.described.sheets import card, window
from service.models.described.watch import watch
from service.models.devices import Device
from service.models.families.sheet import Sheet

SHEETS: Mapping[Form, Callable[[Measured], Sheet]] = {
    "phone": phone,
    "tablet": tablet,
    "laptop": laptop,
    "monitor": monitor,
    "watch": watch,
    "window": window,
    "card": card,
}

KEPT = 4 << 20  # bytes of devices
OBJECTS = 4  # bytes in memory for each byte of a device's JSON

devices: LRUCache[bytes, Device] = LRUCache(KEPT, lambda made: OBJECTS * len(made.model_dump_json()))
_lock = Lock()


def described(description: Description) -> Device:
    """The device of a `possible` description, `custom` by id; made once as long as it is kept."""
    digest = hashlib.blake2b(description.model_dump_json().encode(), digest_size=16).digest()
    with _lock:
        device = devices.get(digest)
    if device is None:
        device = families.device(SHEETS[description.kind](measured(description)), Nearest())
        if len(device.orientations) == 1:
            # It stands as it is described, upright monitors too.
            device = device.model_copy(update={"orientations": (device.natural,)})
        with _lock:
            devices[digest] = device
    return device
