"""Different values, without loading what a picture does not need."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from service.render.geometry.unique import index, inverse, isin, unique

SCRIPT = """
import sys
from service.clock import Clock
from service.engine.plates import Plates
from service.engine.request import prepare
from service.engine.studio import Studio
from tests.render.posing import settings
from tests.support.pictures import png
studio = Studio(plates=Plates(2**27))
for device in ("iphone-16-pro", "galaxy-z-flip-7-half-open", "apple-watch-ultra-3", "macbook-pro-14"):
    for turn in (20, 170):
        given = {"device": device, "deviceTransform.rotationY": turn, "canvas.width": 160}
        studio.render(prepare(png(), settings(given)), Clock())
studio.close()
print("numpy.ma" in sys.modules)
"""


@pytest.mark.parametrize(
    "values",
    [
        np.array([], np.float64),
        np.array([2.5]),
        np.array([3, 1, 2, 3, 1, 1]),
        np.array([[1.5, -1.0], [0.0, 1.5]], np.float32),
        np.random.default_rng(1).integers(0, 9, (7, 3)).astype(np.int32),
    ],
)
def test_they_are_the_different_ones_in_order(values: NDArray[np.generic]) -> None:
    found = unique(values)
    assert found.tolist() == sorted(set(values.ravel().tolist()))
    assert found.dtype == values.dtype


def test_values_are_numbered_and_found_where_they_stand_first() -> None:
    values = np.array([5, 2, 9, 2, 5, 5])
    found, which = inverse(values)
    assert found.tolist() == [2, 5, 9]
    assert found[which].tolist() == values.tolist()
    assert index(values).tolist() == [1, 0, 2]
    assert isin(values, np.array([9, 5])).tolist() == [True, False, True, False, True, True]


@pytest.mark.long
def test_devices_are_drawn_without_masked_arrays() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
