"""Different values, without loading what a picture does not need."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from service.render.geometry.distinct import distinct

SCRIPT = """
import sys
from service.models.devices import catalogue
from service.render.geometry.mesh import mesh
for device in ("iphone-16-pro", "galaxy-z-flip-7-half-open"):
    for slab in catalogue()[device].slabs:
        mesh(slab)
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
    found = distinct(values)
    assert found.tolist() == sorted(set(values.ravel().tolist()))
    assert found.dtype == values.dtype


def test_devices_take_shape_without_masked_arrays() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
