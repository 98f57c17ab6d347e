from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from service.arrays import F64, U8
from service.clock import Clock
from service.errors import MockupError
from service.render.paint.final_gather import final_gather
from service.render.plates import composite, plate
from tests.render.posing import DEVICES, scene

POSE = {
    "canvas.width": 480,
    "canvas.height": 400,
    "deviceTransform.rotationX": 15,
    "deviceTransform.rotationY": -30,
    "deviceTransform.scale": 1.3,
}


def shown(base: U8) -> F64:
    """The visible colours; translucent pixels are over black."""
    rgb = base[..., :3].astype(np.float64)
    return rgb * base[..., 3:] / 255 if base.shape[2] == 4 else rgb


@pytest.mark.parametrize("ground", ["#c0d0e0", "transparent"])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.long
def test_parts_make_the_same_plate_as_the_whole(
    device: str, ground: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = scene(POSE | {"device": device, "appearance.backgroundColor": ground}, (600, 900))
    whole = plate.build(of.spec, Clock())
    monkeypatch.setattr(composite, "PART", 480 * 48)
    monkeypatch.setattr(composite, "BAND", 32)
    parts = plate.build(of.spec, Clock())
    # OpenCV rounds places to a 32nd of a pixel, and may round up for a part of the picture but down for the
    # whole.
    difference = np.abs(shown(whole.base) - shown(parts.base))
    assert difference.max() < 24
    assert (difference.max(axis=2) > 1.5).mean() < 0.01
    assert whole.screens[0] is not None
    assert parts.screens[0] is not None
    assert whole.screens[0].box == parts.screens[0].box
    for name in ("base", "gain"):
        one, other = getattr(whole.screens[0], name), getattr(parts.screens[0], name)
        assert np.abs(one.astype(int) - other).mean() < 10


@pytest.mark.long
def test_parallel_parts_share_only_finished_results(monkeypatch: pytest.MonkeyPatch) -> None:
    of = scene(POSE | {"device": "macbook-pro-14"}, (600, 900))
    monkeypatch.setattr(composite, "PART", 480 * 48)
    expected = plate.build(of.spec, Clock()).base

    def slow(*args: Any, **kwargs: Any) -> Any:
        time.sleep(0.05)
        return final_gather(*args, **kwargs)

    monkeypatch.setattr("service.render.paint.over.final_gather", slow)
    np.testing.assert_array_equal(plate.build(of.spec, Clock()).base, expected)


def test_the_deadline_is_met_between_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    of = scene(POSE | {"shadow.enabled": False}, (600, 900))
    monkeypatch.setattr(composite, "PART", 480 * 48)
    checks = 0

    class Late(Clock):
        def check(self) -> None:
            nonlocal checks
            checks += 1
            if checks > 10:
                self.timeout = 0.0
            super().check()

    with pytest.raises(MockupError, match="took longer"):
        plate.build(of.spec, Late())


def test_an_opening_is_no_larger_than_the_visible_screen() -> None:
    of = scene({"deviceTransform.positionX": 0.9, "canvas.width": 400, "canvas.height": 400}, (600, 900))
    made = plate.build(of.spec, Clock())
    assert made.screens[0] is not None
    x, _, width, _ = made.screens[0].box
    assert x + width == 400
    assert (made.screens[0].gain[:, 0] > 0).any()
