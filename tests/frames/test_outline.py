"""Distances from outlines, compared with closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from frames.generator.outline import Outline, box, circle, pill, ring, segment
from service.devices.families.corner import extent_of


def points(count: int = 400) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(7)
    return generator.uniform(-45, 45, count), generator.uniform(-80, 80, count)


def test_round_corners_agree_with_the_exact_box() -> None:
    x, y = points()
    exact = box(x, y, 70, 140, 12)
    drawn = Outline(70, 140, 12, 2.0).distance(x, y)
    near = np.abs(exact) < 6
    assert drawn[near] == pytest.approx(exact[near], abs=2e-3)


def test_a_grown_circle_is_a_larger_circle() -> None:
    x, y = points()
    exact = box(x, y, 75, 145, 14.5)
    drawn = Outline(75, 145, 12, 2.0, 2.5).distance(x, y)
    near = np.abs(exact) < 4
    assert drawn[near] == pytest.approx(exact[near], abs=2e-3)


def test_superellipse_points_lie_on_the_outline() -> None:
    t = np.linspace(0.05, np.pi / 2 - 0.05, 60)
    extent, exponent = 16.8, 3.48
    x = 35 - extent + extent * np.cos(t) ** (2 / exponent)
    y = 74 - extent + extent * np.sin(t) ** (2 / exponent)
    shape = Outline(70, 148, extent, exponent)
    for sx, sy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        assert shape.distance(sx * x, sy * y) == pytest.approx(np.zeros(60), abs=2e-3)


def test_extent_keeps_the_point_at_45_degrees() -> None:
    radius, exponent = 12.3, 2.6
    extent = extent_of(radius, exponent)
    inset = radius * (1 - 2**-0.5)
    at = np.array([40 - inset]), np.array([70 - inset])
    assert Outline(80, 140, extent, exponent).distance(*at)[0] == pytest.approx(0, abs=2e-3)
    assert extent_of(radius, 2.0) == pytest.approx(radius)


def test_signs_and_simple_shapes() -> None:
    zero, one = np.array([0.0]), np.array([1.0])
    assert circle(zero, zero, 2)[0] == -2
    assert pill(np.array([4.0]), zero, 6, 2)[0] == pytest.approx(1)
    assert box(np.array([4.0]), np.array([5.0]), 2, 2)[0] == pytest.approx(5)
    assert ring(np.array([0.2]), 1.0)[0] == pytest.approx(-0.3)
    assert segment(one, one, (0, 0), (2, 0), 0.5)[0] == pytest.approx(0.75)
