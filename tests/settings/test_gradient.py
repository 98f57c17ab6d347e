"""The stops of a gradient, as callers send them."""

from __future__ import annotations

from typing import Any

import pytest

from service.settings.gradient import spread
from service.settings.merge import MergedSettings
from service.settings.resolve import resolve
from service.settings.scene import Background
from service.validation.color import parse


def background(appearance: dict[str, Any]) -> Background:
    merged = MergedSettings({"appearance": appearance})
    return resolve(merged.resolve(), (100, 200), fast=False).spec.background


def test_missing_positions_are_spread_evenly() -> None:
    assert spread([None, None, None]) == [0, 0.5, 1]
    assert spread([0.2, None, None, 0.8]) == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert spread([None, 0.5, None, None]) == pytest.approx([0, 0.5, 0.75, 1])


def test_stops_replace_the_two_colours() -> None:
    stops = [{"color": "#000"}, {"color": "#12345678", "at": 0.2}, {"color": "#FFFFFF"}]
    made = background({"gradientStops": stops, "gradientType": "Conic", "gradientAngle": 30})
    assert [stop.at for stop in made.stops] == [0, 0.2, 1]
    assert made.stops[1].color == parse("#12345678")
    assert (made.shape, made.angle, made.solid) == ("conic", 30, False)


def test_conic_gradients_return_to_their_first_colour() -> None:
    colors = {"backgroundColor": "#000000", "gradientColor": "#FFFFFF", "gradientEnabled": True}
    assert len(background(colors).stops) == 2
    assert [stop.color.red for stop in background(colors | {"gradientType": "conic"}).stops] == [0, 255, 0]


@pytest.mark.parametrize(
    ("stops", "path", "said"),
    [
        ([{"color": "#000"}], "", "expected a list of 2 to 8 stops, got 1"),
        ([{"color": "#000"}] * 9, "", "expected a list of up to 8 objects, got a list of 9"),
        (
            [{"color": "#000", "at": 0.5}, {"color": "#FFF", "at": 0.2}],
            "",
            "expected stops in ascending order, but [1].at is 0.2 after 0.5",
        ),
        ([{"color": "#000"}, {"color": "red"}], "[1].color", "did you mean #FF0000?"),
        ([{"color": "#000"}, {"color": "#FFF", "at": 2}], "[1].at", "expected a number from 0 to 1, got 2"),
        ([{"color": "#000"}, {"at": 1}], "[1].color", "missing"),
    ],
)
def test_faults_are_named(stops: list[Any], path: str, said: str) -> None:
    faults = MergedSettings({"appearance": {"gradientStops": stops}}).faults
    assert [fault.path for fault in faults] == ["settings.appearance.gradientStops" + path]
    assert said in faults[0].message
