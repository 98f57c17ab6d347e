"""Every slab has a role, and is built accordingly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from service.devices.described.description import Description
from service.devices.described.kinds import KINDS
from service.devices.described.making import described
from service.devices.device import Device, Role, catalogue
from tests.support.looped import looped

#: Roles of a device's main slabs, by category; others have a body.
MAIN: dict[str, set[Role]] = {
    "laptop": {"deck", "lid", "hinge"},
    "watch": {"case", "strap"},
    "desktop": {"body", "stand", "foot"},
    "tv": {"body", "foot"},
}


def _described() -> Iterator[Device]:
    for kind in KINDS:
        yield described(Description.model_validate({"kind": kind, "screen": {"width": 900, "height": 900}}))


DEVICES = [*catalogue().values(), *_described()]


@looped("device", DEVICES)
def test_roles_agree_with_how_slabs_are_built(device: Device) -> None:
    for slab in device.slabs:
        raised = slab.role == "part"
        assert raised == (slab.parent is not None and slab.base is not None), slab.name
        bent = slab.bend is not None and (slab.base is not None or slab.name == "strap-closure")
        assert (slab.role == "strap") == bent, slab.name
        assert (slab.role == "stand") == (slab.parent is not None and slab.base is None), slab.name


@looped("device", DEVICES)
def test_each_device_has_the_roles_of_its_category(device: Device) -> None:
    roles = Counter(slab.role for slab in device.slabs)
    expected = MAIN.get(device.category, {"body"})
    assert set(roles) - {"part"} == expected
    assert all(roles[role] == 1 for role in expected - {"hinge", "stand", "foot", "strap"})
