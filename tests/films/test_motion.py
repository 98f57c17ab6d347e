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
from service.films.motion import Offset, Path, ScrollRun, offset, run, shortest, whole_rounds, wrapped
from service.settings.motion import EASINGS, Motion, Playback, frames
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


@pytest.mark.parametrize(
    ("name", "away", "amount", "expected"),
    [
        ("still", 0.5, 0, Offset()),
        ("tilt-in", 1, 25, Offset(rx=-25, ry=-15, scale=0.92, y=-0.06)),
        ("tilt-in", 0.5, 10, Offset(rx=-5, ry=-3, scale=0.96, y=-0.03)),
        ("drop-in", 0.5, 1.8, Offset(rx=7, rz=-2, y=0.9)),
        ("push-in", 0.5, 0.25, Offset(scale=1.125)),
        ("pull-out", 0.25, 0.4, Offset(scale=1.3)),
        ("orbit", 0, 30, Offset(ry=-30)),
        ("orbit", 0.75, 30, Offset(ry=15)),
        ("turntable", 0.25, 2, Offset(ry=180)),
        ("float", 0, 2, Offset(ry=4.92, rz=0.902)),
        ("float", 0.25, 1, Offset(rx=1.6, ry=-0.8405, rz=0.5354, y=0.035)),
        ("float", 0.75, 2, Offset(rx=-3.2, ry=1.681, rz=-1.0708, y=-0.07)),
        ("sway", 0.25, 12, Offset(ry=12, rz=-1.44)),
        ("reveal", 0.5, 80, Offset(ry=-40, scale=0.94)),
        ("flip", 0.5, 1, Offset(ry=-180)),
    ],
)
def test_moves_turn_and_shift_the_device_so_far(
    name: str, away: float, amount: float, expected: Offset
) -> None:
    assert offset(name, away, amount) == pytest.approx(expected, abs=1e-3)


def test_an_entrance_takes_its_time_and_a_seamless_one_leaves_again() -> None:
    def turned(duration: float, *times: float, seamless: bool = False) -> list[float]:
        move = {"name": "reveal", "ease": "linear", "amount": 80}
        one = path(duration, Transform(), move=move, seamless=seamless)
        return [one.pose(time).transform.ry for time in times]

    # It takes 1.6 s, or less in shorter films.
    assert turned(4, 0, 0.8, 1.6, 4) == pytest.approx([-80, -40, 0, 0])
    assert turned(1, 0, 0.5, 1) == pytest.approx([-80, -40, 0])
    assert turned(4, 0, 0.8, 2, 3.2, 4, seamless=True) == pytest.approx([-80, -40, 0, -40, -80])
    assert turned(2, 0, 0.5, 1, 1.5, 2, seamless=True) == pytest.approx([-80, -40, 0, -40, -80])


def test_cycles_repeat_and_a_turntable_turns_through_the_film() -> None:
    def angles(name: str, duration: float, times: tuple[float, ...], **more: Any) -> list[float]:
        one = path(duration, Transform(), move={"name": name}, **more)
        return [one.pose(time).transform.ry for time in times]

    assert angles("turntable", 4, (0, 1, 2.5)) == pytest.approx([0, 90, -135])
    # A round of `sway` takes 5 s.
    assert angles("sway", 8, (0, 1.25, 2.5, 3.75, 6.25)) == pytest.approx([0, 12, 0, -12, 12])
    assert angles("sway", 8, (0, 1, 2, 3, 5), seamless=True) == pytest.approx([0, 12, 0, -12, 12])


@pytest.mark.parametrize(
    ("given_", "moves"),
    [
        ({}, False),
        ({"move": {"name": "still"}}, False),
        ({"move": {"name": "scroll"}}, False),
        ({"move": {"name": "float"}}, True),
        ({"keyframes": [{}]}, True),
    ],
)
def test_devices_that_rest_need_one_pose(given_: dict[str, Any], moves: bool) -> None:
    assert path(4, **given_).moves is moves


def test_a_move_through_a_seamless_film_returns_from_its_middle() -> None:
    def scales(**more: Any) -> list[float]:
        one = path(4, Transform(scale=2), move={"name": "push-in", "ease": "linear"}, **more)
        return [one.pose(time).transform.scale for time in range(5)]

    assert scales() == pytest.approx([2, 2.125, 2.25, 2.375, 2.5])
    assert scales(seamless=True) == pytest.approx([2, 2.25, 2.5, 2.25, 2])


def test_lids_open_from_an_angle_to_their_own() -> None:
    move = {"name": "lid-open", "amount": 10, "ease": "linear"}
    lids = [path(4, opening=110, move=move).pose(time).lid for time in (0, 0.9, 1.8, 4)]
    assert lids == pytest.approx([10, 60, 110, 110])


def test_members_stay_in_range_when_an_easing_overshoots() -> None:
    """`back-out` goes beyond its end in between; sizes, fields of view and lids stay possible."""
    over = (0.34, 3, 0.64, 1)
    assert max(eased(share / 20, over) for share in range(20)) > 1.3
    first = {"scale": 5, "fieldOfView": 80}
    last = {"scale": 0.1, "fieldOfView": 0}
    down = path(4, keyframes=[
        {"ease": over, "lid": 100, "deviceTransform": first},
        {"at": 4, "lid": 6, "deviceTransform": last},
    ])  # fmt: skip
    poses = [down.pose(time / 10) for time in range(41)]
    assert min(one.transform.scale for one in poses) == 0.01
    assert min(one.transform.fov for one in poses) == 0
    assert min(one.lid or 0 for one in poses) == 5
    up = path(4, keyframes=[
        {"ease": over, "lid": 20, "deviceTransform": last},
        {"at": 4, "lid": 178, "deviceTransform": first},
    ])  # fmt: skip
    poses = [up.pose(time / 10) for time in range(41)]
    assert max(one.transform.scale for one in poses) > 6
    assert max(one.transform.fov for one in poses) == 90
    assert max(one.lid or 0 for one in poses) == 180


@pytest.mark.parametrize(
    ("rounds", "count", "expected"),
    [
        # As near as 1.25 times to the wanted number, with equal frames in all rounds.
        (2.5, 50, 2), (4.0, 25, 5), (3.5, 12, 4), (3.4, 12, 3), (7.0, 7, 7), (1.0, 1, 1),
        # If there is none, the nearest number.
        (2.6, 50, 3), (3.9, 25, 4), (0.3, 7, 1), (3.0, 100, 3),
    ],
)  # fmt: skip
def test_rounds_of_a_loop_have_equal_frames_if_possible(rounds: float, count: int, expected: int) -> None:
    assert whole_rounds(rounds, count) == expected


@pytest.mark.parametrize(
    ("angle", "expected"),
    [(0, 0), (180, 180), (-180, -180), (181, -179), (-181, 179), (540, -180), (725, 5)],
)
def test_angles_wrap(angle: float, expected: float) -> None:
    assert wrapped(angle) == expected


SMOOTHLY = EASINGS["ease-in-out"]


@pytest.mark.parametrize(
    ("motion", "duration", "expected"),
    [
        # It pauses for half a second at both ends, or for a sixth of a short film.
        ({"move": {"name": "scroll"}}, 6, ScrollRun(0, 1, 0.5, 5, SMOOTHLY)),
        ({"move": {"name": "scroll"}}, 1.2, ScrollRun(0, 1, 0.2, 0.8, SMOOTHLY)),
        ({"move": {"name": "scroll"}, "seamless": True}, 8, ScrollRun(0, 1, 0.5, 3, SMOOTHLY, 8)),
        ({"move": {"name": "scroll", "ease": "linear"}}, 6, ScrollRun(0, 1, 0.5, 5, EASINGS["linear"])),
        ({"scroll": {"from": 0.25, "to": 0.5, "at": 1}}, 6, ScrollRun(0.25, 0.5, 1, 4.5, SMOOTHLY)),
        ({"scroll": {"at": 1, "duration": 2}}, 6, ScrollRun(0, 1, 1, 2, SMOOTHLY)),
        ({"scroll": {"at": 9}}, 6, ScrollRun(0, 1, 5.4, 0.1, SMOOTHLY)),
        ({"scroll": {"at": 3}, "seamless": True}, 8, ScrollRun(0, 1, 3, 0.5, SMOOTHLY, 8)),
        ({"move": {"name": "float"}, "scroll": {}}, 6, ScrollRun(0, 1, 0.5, 5, SMOOTHLY)),
        ({"move": {"name": "float"}}, 6, None),
    ],
)
def test_scrolls_begin_and_end_with_a_pause(
    motion: dict[str, Any], duration: float, expected: ScrollRun | None
) -> None:
    found = run(Motion.model_validate(motion), duration)
    if expected is None or found is None:
        assert found == expected
        return
    assert (found.curve, found.back) == (expected.curve, expected.back)
    for name in ("start", "stop", "at", "takes"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name


def test_a_seamless_scroll_is_the_same_in_reverse() -> None:
    there = run(Motion.model_validate({"move": {"name": "scroll"}, "seamless": True}), 8)
    assert there is not None
    for time in (0.4, 1.5, 2.9, 4):
        assert there.place(time) == pytest.approx(there.place(8 - time))


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"move": {"name": "tilt"}}, "motion.move.name", "did you mean tilt-in?"),
    (
        {"move": {"name": "float", "amount": 50}},
        "motion.move.amount",
        "float takes 0.1 to 4 times the usual, got 50",
    ),
    ({"move": {"name": "sway", "ease": "eese"}}, "motion.move.ease", "did you mean ease?"),
    ({"move": {"name": "sway", "ease": [2, 0, 1, 1]}}, "motion.move.ease", "third number from 0 to 1"),
    ({"move": {"name": "sway", "ease": [0, 0, 1]}}, "motion.move.ease", "got a list of 3"),
    ({"move": {"name": "sway", "ease": [0, 0, 1, "x"]}}, "motion.move.ease", "got a list of other things"),
    ({"move": {"name": "sway", "ease": [0, -2.01, 1, 1]}}, "motion.move.ease", "the others from -2 to 3"),
    ({"move": {"name": "sway", "ease": [0, 0, 1, 3.01]}}, "motion.move.ease", "the others from -2 to 3"),
    ({"fps": 29}, "motion.fps", "got 29"),
    ({"duration": 61}, "motion.duration", "expected a number from 0.1 to 60, got 61"),
    ({"duration": 40, "fps": 60}, "motion.duration", "expected at most 1800 frames, got 2400"),
    ({"move": {"name": "sway"}, "keyframes": [{}]}, "motion.keyframes", "a move or keyframes, got both"),
    ({"keyframes": [{"at": 2}, {"at": 2}]}, "motion.keyframes[1].at", "ascending times, got 2 s after 2 s"),
    (
        {"keyframes": [{}, {"at": 2}, {"at": 1}]},
        "motion.keyframes[2].at",
        "ascending times, got 1 s after 2 s",
    ),
    ({"move": {"name": "scroll"}, "scroll": {}}, "motion.scroll", "got both"),
    ({"duration": 2, "scroll": {"at": 2}}, "motion.scroll.at", "begins within 2 s, got 2 s"),
    (
        {"duration": 2, "seamless": True, "keyframes": [{}, {"at": 2}]},
        "motion.keyframes[1].at",
        "before the end of a seamless film",
    ),
    ({"duration": 30.1, "fps": 60}, "motion.duration", "expected at most 1800 frames, got 1806"),
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


@pytest.mark.parametrize(
    "given_",
    [
        {"duration": 30, "fps": 60},
        {"duration": 2, "keyframes": [{}, {"at": 2}]},
        {"duration": 2, "scroll": {"at": 1.99}},
        {"duration": 2, "seamless": True, "keyframes": [{}, {"at": 1.99}]},
        {"seamless": True, "move": {"name": "turntable", "amount": -2}},
        {"move": {"name": "float", "amount": 4}},
        {"move": {"name": "float", "amount": 0.1}},
        {"move": {"name": "sway", "ease": [0, -2, 1, 3]}},
        {"move": {"name": "sway", "ease": [1, 3, 0, -2]}},
    ],
)
def test_the_ends_of_each_range_are_taken(given_: dict[str, Any]) -> None:
    Motion.model_validate(given_)


@pytest.mark.parametrize(
    ("duration", "fps", "count"), [(1, 30, 30), (0.1, 24, 2), (0.01, 24, 1), (0.25, 50, 13), (0.24, 25, 6)]
)
def test_a_film_has_whole_frames(duration: float, fps: int, count: int) -> None:
    assert frames(duration, fps) == count


def test_a_part_of_a_recording_ends_after_its_start() -> None:
    Playback(start=1, end=1.01)
    with pytest.raises(ValidationError, match="expected an end after the start at 1 s, got 1 s"):
        Playback(start=1, end=1)
