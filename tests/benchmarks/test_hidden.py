"""A change makes a reference out of date only if the reference shows what was changed."""

from __future__ import annotations

import pytest

from benchmarks.cases import Case
from benchmarks.hidden import shown
from service.devices.device import Device


def seen(device: str, turned: int) -> Device:
    case = Case(device, f"0_{turned}_0", "studio")
    return shown(case.figures[0], case.view)


@pytest.mark.parametrize(("turned", "there"), [(0, False), (60, False), (155, True), (180, True)])
def test_lenses_count_only_from_behind(turned: int, there: bool) -> None:
    front = seen("iphone-16-pro", turned).slab("lens-1").front
    assert len(front.layers) == (3 if there else 0)
    assert front.surface == ("lens" if there else "dark")


def test_a_face_that_bends_keeps_its_material() -> None:
    device = Case("apple-watch-ultra-3", "0_0_0", "studio").model
    case = next(slab for slab in device.slabs if slab.front.inset < slab.edge)
    assert seen("apple-watch-ultra-3", 180).slab(case.name).front.surface == case.front.surface


def test_bent_plates_keep_their_pictures() -> None:
    device = Case("galaxy-z-fold-7-half-open", "0_0_0", "studio").model
    assert seen("galaxy-z-fold-7-half-open", 0) == device
