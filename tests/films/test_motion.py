"""Poses and easing as functions of the time."""

from __future__ import annotations

import math
from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from service.films.easing import eased
from service.films.motion import Path, run, shortest, wrapped
from service.settings.motion import EASINGS, Motion
from service.settings.moves import MOVES
from service.settings.scene import Transform
from service.validation import messages

angles = st.floats(-180, 180)
shares = st.floats(0, 1)
moves = st.sampled_from(sorted(MOVES))
points = st.tuples(shares, st.floats(-0.5, 1.5), shares, st.floats(-0.5, 1.5))


def path(duration: float = 4.0, rest: Transform | None = None, opening: float = 110.0, **given: Any) -> Path:
    motion = Motion.model_validate({"duration": duration, **given})
    return Path(motion, rest or Transform(rx=10, ry=-30, rz=5), duration, opening)


def numbers(transform: Transform) -> list[float]:
    return [one for one in astuple(transform) if isinstance(one, float)]


def apart(one: Transform, other: Transform) -> float:
    """The largest difference of any parameter; angles are compared by the shorter way round."""
    turns = [abs(shortest(getattr(one, name), getattr(other, name))) for name in ("rx", "ry", "rz")]
    rest = [abs(getattr(one, name) - getattr(other, name)) for name in ("scale", "x", "y", "fov")]
    return float(max(*turns, *rest))


@given(shares, points)
def test_curves_go_from_0_to_1(share: float, curve: tuple[float, float, float, float]) -> None:
    assert eased(0, curve) == 0
    assert eased(1, curve) == 1
    assert math.isfinite(eased(share, curve))


@given(st.sampled_from(sorted(EASINGS)), shares, shares)
def test_curves_between_their_ends_ascend(name: str, one: float, other: float) -> None:
    first, last = sorted((one, other))
    if name == "back-out":  # `back-out` overshoots, so it does not ascend
        return
    assert eased(first, EASINGS[name]) <= eased(last, EASINGS[name]) + 1e-9


def test_curves_are_those_of_browsers() -> None:
    """The expected values are those of CSS `cubic-bezier`, computed with 50 digits."""
    assert eased(0.5, EASINGS["ease-in-out"]) == pytest.approx(0.5)
    assert eased(0.25, EASINGS["ease"]) == pytest.approx(0.408511, abs=1e-6)
    assert eased(0.3, EASINGS["linear"]) == pytest.approx(0.3)
    assert eased(0.25, EASINGS["ease-in"]) == pytest.approx(0.0934646, abs=1e-6)


@given(angles, angles)
def test_angles_go_the_shortest_way(first: float, last: float) -> None:
    way = shortest(first, last)
    assert abs(way) <= 180
    assert wrapped(first + way - last) == pytest.approx(0, abs=1e-9) or abs(first + way - last) % 360 < 1e-9


@given(moves, st.floats(0.5, 20), st.booleans())
def test_moves_end_at_rest_or_where_they_began(name: str, duration: float, seamless: bool) -> None:
    moved = path(duration, move={"name": name}, seamless=seamless)
    start, end = moved.pose(0), moved.pose(duration)
    if seamless:
        assert apart(start.transform, end.transform) < 1e-6
        assert (start.lid or 0) == pytest.approx(end.lid or 0)
    elif MOVES[name].course == "entrance":
        assert apart(moved.rest, end.transform) < 1e-9
        assert end.lid is None or end.lid == pytest.approx(110)


@given(moves, shares, st.booleans())
def test_moves_do_not_jump(name: str, share: float, seamless: bool) -> None:
    """Even in the quickest move, a device turns by less than a tenth of a turn per hundredth of a second."""
    moved = path(move={"name": name}, seamless=seamless)
    time = share * 3.99
    first, second = moved.pose(time).transform, moved.pose(time + 0.01).transform
    assert apart(first, second) < 8
    assert all(map(math.isfinite, numbers(first)))
    assert all(-180 <= one <= 180 for one in (first.rx, first.ry, first.rz))


@given(st.lists(st.tuples(angles, st.floats(0.1, 5)), min_size=1, max_size=5), st.floats(0, 9.99))
def test_keyframes_are_met(values: list[tuple[float, float]], time: float) -> None:
    given_ = [
        {"at": place, "ease": "linear", "deviceTransform": {"rotationY": angle, "scale": scale}}
        for place, (angle, scale) in enumerate(values)
    ]
    moved = path(10, keyframes=given_)
    for place, (angle, scale) in enumerate(values):
        pose = moved.pose(float(place)).transform
        assert abs(shortest(pose.ry, angle)) < 1e-9
        assert pose.scale == pytest.approx(scale)
    between = moved.pose(time).transform
    assert min(one for _, one in values) - 1e-9 <= between.scale <= max(one for _, one in values) + 1e-9
    # Members that no keyframe sets keep the values that they have at rest.
    assert (between.rx, between.rz, between.x) == (moved.rest.rx, moved.rest.rz, moved.rest.x)


def test_keyframes_begin_at_rest_and_stay() -> None:
    moved = path(keyframes=[{"at": 1, "deviceTransform": {"rotationY": 170}}])
    assert moved.pose(0).transform.ry == -30
    # The device turns from -30 to 170 degrees by way of -180: by 160 degrees rather than 200.
    assert moved.pose(0.5).transform.ry == pytest.approx(-110)
    assert moved.pose(3).transform.ry == 170
    assert path(keyframes=[{"at": 1, "lid": 40}]).pose(0).lid == 110


def test_a_seamless_path_goes_back() -> None:
    moved = path(4, keyframes=[{"deviceTransform": {"positionX": 0.5}}, {"at": 2, "deviceTransform": {}}])
    again = path(
        4,
        seamless=True,
        keyframes=[{"deviceTransform": {"positionX": 0.5}}, {"at": 2, "deviceTransform": {"positionX": -1}}],
    )
    assert moved.pose(3).transform.x == 0.5
    assert again.pose(0).transform.x == again.pose(4).transform.x == 0.5
    assert again.pose(3).transform.x == pytest.approx(-0.25)


@given(st.floats(1, 30), st.booleans(), shares)
def test_a_screenshot_runs_from_its_top_to_its_end(duration: float, seamless: bool, share: float) -> None:
    found = run(Motion.model_validate({"move": {"name": "scroll"}, "seamless": seamless}), duration)
    assert found is not None
    assert found.place(0) == 0
    assert found.place(duration / 2 if seamless else duration) == pytest.approx(1)
    assert found.place(duration) == (0 if seamless else 1)
    assert 0 <= found.place(share * duration) <= 1
    assert run(Motion(), duration) is None


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"move": {"name": "tilt"}}, "motion.move.name", "did you mean tilt-in?"),
    (
        {"move": {"name": "float", "amount": 50}},
        "motion.move.amount",
        "float takes 0.1 to 4 times the usual, got 50",
    ),
    ({"move": {"name": "sway", "ease": "eese"}}, "motion.move.ease", "did you mean ease?"),
    ({"move": {"name": "sway", "ease": [2, 0, 1, 1]}}, "motion.move.ease", "third number from 0 to 1"),
    ({"fps": 29}, "motion.fps", "got 29"),
    ({"duration": 61}, "motion.duration", "expected a number from 0.1 to 60, got 61"),
    ({"duration": 40, "fps": 60}, "motion.duration", "expected at most 1800 frames, got 2400"),
    ({"move": {"name": "sway"}, "keyframes": [{}]}, "motion.keyframes", "a move or keyframes, got both"),
    ({"keyframes": [{"at": 2}, {"at": 1}]}, "motion.keyframes[1].at", "ascending times, got 1 s after 2 s"),
    ({"duration": 1, "keyframes": [{"at": 2}]}, "motion.keyframes[0].at", "within 1 s, got one at 2 s"),
    (
        {"keyframes": [{"deviceTransform": {"rotationY": 200}}]},
        "motion.keyframes[0].deviceTransform.rotationY",
        "",
    ),
    ({"seamless": True, "move": {"name": "turntable", "amount": 0.5}}, "motion.move.amount", "whole turns"),
    ({"scroll": {"until": 1}}, "motion.scroll.until", "unknown member"),
]


@pytest.mark.parametrize(("given_", "where", "what"), FAULTS, ids=[where + what for _, where, what in FAULTS])
def test_faults_are_named(given_: dict[str, Any], where: str, what: str) -> None:
    with pytest.raises(ValidationError) as error:
        Motion.model_validate(given_)
    found = messages.details(error.value, Motion, "motion.")[0]
    assert found.path.rstrip(".") == where
    assert what in found.message
