"""Outlines of plates: their corners are the superellipses of their data."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import solid
from service.devices.device import Corner
from service.render.geometry.outline import outline


def test_lower_corners_may_have_another_shape() -> None:
    upper = Corner(extent=20.0, exponent=2.5, aspect=3.0)
    lower = Corner(extent=30.0, exponent=2.2, aspect=0.5)
    shape = outline(200.0, 80.0, upper, 1, lower)
    x, y = np.abs(shape.points[:, 0]) - 100, shape.points[:, 1]
    for corner, part in ((upper, y > 0), (lower, y < 0)):
        across, up = corner.extent * corner.aspect, corner.extent
        sides = np.maximum(x[part] / across + 1, 0), np.maximum((np.abs(y[part]) - 40) / up + 1, 0)
        assert sides[0] ** corner.exponent + sides[1] ** corner.exponent == pytest.approx(1, abs=1e-6)
    turned = np.roll(shape.points, -1, axis=0) - np.roll(shape.points, 1, axis=0)
    assert np.abs((turned * shape.normals).sum(axis=1) / np.hypot(*turned.T)).max() < 0.06
    flat, out = solid.outline(200.0, 80.0, upper, lower)
    for point, normal in zip(shape.points[::9], shape.normals[::9], strict=True):
        nearest = np.hypot(*(flat - point).T).argmin()
        if np.hypot(*(flat[nearest] - point)) < 0.05:
            assert out[nearest] @ normal == pytest.approx(1, abs=1e-3)
