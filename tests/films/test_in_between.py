"""Plates between key poses: which poses are key poses, and how far blended plates are from built ones."""

from __future__ import annotations

import dataclasses
from typing import Any

import cv2
import numpy as np
import pytest

from service.clock import Clock
from service.films.film import Film, FilmedFile, resolve_film
from service.films.in_between import KeyPair, KeyPlates, blended, motion, surface
from service.films.key_poses import GAP, MOST, TURN, Place, places
from service.films.messages import FilmRequest
from service.films.motion import shortest
from service.films.plate_store import BuiltPlate, PlateStore, cut, joined
from service.films.plates_here import PlatesHere
from service.films.shutter import displacement, exposures
from service.films.source import RecordingFacts
from service.render.geometry.raster import Box
from service.render.paint.screens import locate, view
from service.render.plates import plate
from service.render.plates.plate import Plate
from service.settings.merge import MergedSettings
from service.settings.motion import Motion
from service.settings.scene import PlateSpec
from service.settings.scene_device import SceneDevice
from tests.films.test_plates import shown

FPS = 25
CANVAS = {"width": 640, "height": 480}


def film(settings: dict[str, Any], devices: tuple[str, ...] = (), **given: Any) -> Film:
    wanted = FilmRequest(
        MergedSettings({"device": "iphone-16-pro", "canvas": CANVAS, **settings}).resolve(),
        Motion.model_validate({"duration": 2, "fps": FPS, **given}),
        devices=tuple(SceneDevice.model_validate({"device": one}) for one in devices),
    )
    return resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 2.0, 25.0)))


def planned(one: Film) -> list[tuple[PlateSpec, Place]]:
    return list(places(one, [number / FPS for number in range(one.reel.count)]))


def whole(plates: KeyPlates, place: Place) -> Plate:
    """The plate of a pose, with all of its parts."""
    made = joined(plates.make(place))
    assert plates.first is not None
    return made.drawn(plates.first.copy())


FLOAT: dict[str, Any] = {"move": {"name": "float"}}


def test_every_pose_is_between_nearby_key_poses() -> None:
    one = film({}, **FLOAT, seamless=True)
    found = planned(one)
    assert [spec for spec, _ in found] == list(dict.fromkeys(one.spec(n / FPS) for n in range(50)))
    keys = [place.time for _, place in found if place.start == place.end]
    assert len(keys) < len(found) / 2
    for spec, place in found:
        assert spec == one.spec(place.time)
        if place.time in keys:
            continue
        assert keys[keys.index(place.start) + 1] == place.end
        assert place.start < place.time < place.end <= place.start + GAP / FPS + 1e-6
        before, after = one.spec(place.start), one.spec(place.end)
        assert displacement(before, after) <= MOST
        turns = zip(
            (before.transform.rx, before.transform.ry, before.transform.rz),
            (after.transform.rx, after.transform.ry, after.transform.rz),
            strict=True,
        )
        assert max(abs(shortest(*pair)) for pair in turns) <= TURN


@pytest.mark.parametrize("fps", [24, 60])
@pytest.mark.parametrize("shutter", [0, 180])
@pytest.mark.parametrize("name", ["sway", "float"])
def test_each_pose_of_a_loop_has_one_place(name: str, shutter: int, fps: int) -> None:
    """At turning points, poses return; exposures of a loop's first frame begin at its end."""
    one = film({}, move={"name": name}, seamless=True, fps=fps, shutterAngle=shutter)
    times = [time for number in range(one.reel.count) for time in exposures(one, number)]
    found = list(places(one, times))
    assert [spec for spec, _ in found] == list(dict.fromkeys(map(one.spec, times)))
    for spec, place in found:
        if place.start == place.end:
            continue
        assert place.start < place.time < place.end
        for end in (place.start, place.end):
            assert displacement(spec, one.spec(end)) <= MOST


def shifted(*shifts: float) -> Film:
    """A film of a phone whose height changes to these shares of the canvas, evenly in four frames each."""
    keys = [
        {"at": 4 * number / FPS, "ease": "linear", "deviceTransform": {"positionY": y}}
        for number, y in enumerate(shifts)
    ]
    return film({}, keyframes=keys)


@pytest.mark.parametrize(
    ("name", "step", "apart"),
    [
        # Half a canvas is 320 px wide. Between key poses, a device moves by up to 24 px and turns by up to 3
        # degrees, and at most every eighth pose is one.
        ("positionX", 5 / 320, 4),
        ("positionX", 1 / 320, 8),
        ("rotationZ", 0.8, 3),
    ],
)
def test_key_poses_are_so_far_apart(name: str, step: float, apart: int) -> None:
    keys = [
        {"at": at / FPS, "ease": "linear", "deviceTransform": {name: at * step - 20 * step}} for at in (0, 40)
    ]
    found = planned(film({"deviceTransform": {"fieldOfView": 0, "scale": 0.3}}, keyframes=keys))
    numbers = [round(place.time * FPS) for _, place in found if place.start == place.end]
    assert numbers[:4] == [0, apart, 2 * apart, 3 * apart]


def test_devices_that_turn_back_stay_near_both_key_poses() -> None:
    one = shifted(0, 0.08, -0.07)
    found = planned(one)
    assert any(place.start < place.time < place.end for _, place in found)
    for spec, place in found:
        for end in (place.start, place.end):
            assert displacement(spec, one.spec(end)) <= MOST


def test_poses_at_rest_are_not_blended() -> None:
    one = film({}, move={"name": "tilt-in"})
    resting = [place for spec, place in planned(one) if not spec.moving]
    assert len(resting) == 1
    assert resting[0].start == resting[0].end


@pytest.mark.parametrize(
    ("settings", "motion"),
    [
        ({"appearance": {"backgroundColor": "transparent"}}, FLOAT),
        ({"ground": {"kind": "floor", "reflectivity": 0.8}}, FLOAT),
        ({"appearance": {"style": "outline"}}, FLOAT),
        ({"device": "macbook-air-13-m3"}, {"move": {"name": "lid-open"}}),
        ({}, {"move": {"name": "turntable", "amount": 2}}),
    ],
    ids=["transparent", "mirrored", "lines", "lid", "quick"],
)
def test_other_plates_are_built(settings: dict[str, Any], motion: dict[str, Any]) -> None:
    assert all(place.start == place.end for _, place in planned(film(settings, **motion)))


def apart(one: Plate, other: Plate) -> tuple[float, float, float]:
    """The mean difference, in levels, between the plates' pictures with a bright screenshot, and two
    percentiles of the difference."""
    gap = cv2.absdiff(shown(one, 230), shown(other, 230))
    return float(gap.mean()), float(np.percentile(gap, 99)), float(np.percentile(gap, 99.9))


@pytest.mark.parametrize("device", ["iphone-16-pro", "macbook-air-13-m3"])
def test_devices_in_motion_are_nearly_as_in_pictures(device: str) -> None:
    spec = film({"device": device, "canvas": {"width": 960, "height": 720}}, **FLOAT).spec(0)
    assert spec.moving
    moving, still = (
        plate.build(one, Clock(), view(one)) for one in (spec, dataclasses.replace(spec, moving=False))
    )
    mean, high, _ = apart(moving, still)
    assert mean < 0.05
    assert high <= 1


def offset(one: Box, other: Box) -> int:
    """The largest distance, px, between an edge of a box and the same edge of another."""
    edges = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in (one, other)]
    first, second = edges
    return int(np.abs(np.subtract(first, second)).max())


@pytest.mark.parametrize(
    ("settings", "devices", "move"),
    [
        ({}, (), "float"),
        ({}, (), "orbit"),
        ({"device": "macbook-air-13-m3"}, (), "float"),
        ({"ground": {"kind": "floor"}}, ("macbook-air-13-m3", "iphone-16-pro"), "float"),
    ],
    ids=["phone", "orbit", "laptop", "scene"],
)
def test_blended_plates_are_nearly_as_built(
    settings: dict[str, Any], devices: tuple[str, ...], move: str
) -> None:
    one = film(settings, devices, move={"name": move})
    plates, number = KeyPlates(one, Clock()), 0
    for spec, place in planned(one)[: GAP + 1]:
        made, built = whole(plates, place), plate.build(spec, Clock(), view(spec))
        assert [layer is None for layer in made.screens] == [layer is None for layer in built.screens]
        mean, high, highest = apart(made, built)
        if place.start == place.end:
            # Plates are cut, so screens have bases in code values.
            assert highest <= 1
            assert mean < 0.01
            continue
        number += 1
        assert mean < 0.7
        # Most of it is the bright line of metal above a laptop's hinge, which is thinner than a pixel here.
        assert high <= 16
        ends = [whole(plates, Place(time, time, time)) for time in (place.start, place.end)]
        # Most of the motion is compensated, compared with the nearest key pose.
        assert mean < 0.1 + 0.5 * min(apart(end, built)[0] for end in ends)
        for layer, exact in zip(made.screens, built.screens, strict=True):
            if layer and exact:
                assert (layer.matrix == exact.matrix).all()
                assert offset(layer.box, exact.box) <= 2
    assert number


def test_plates_of_a_film_in_one_process_are_blended() -> None:
    one = film({}, **FLOAT)
    (first, start), *others = planned(one)
    spec, place = next(both for both in others if both[1].start != both[1].end)
    store, plates = PlateStore([first, spec]), KeyPlates(one, Clock())
    here = PlatesHere(one, store, [number / FPS for number in range(one.reel.count)], Clock())
    here.get(first)
    whole(plates, start)
    made = here.get(spec).drawn(store.first.copy())
    assert apart(made, whole(plates, place)) == (0, 0, 0)
    assert apart(made, plate.build(spec, Clock(), view(spec)))[0] > 0


def test_a_screen_that_turns_back_is_whole() -> None:
    """The screen is higher between the key poses than in either."""
    one = shifted(0, 0.07, 0.005)
    plates, beyond = KeyPlates(one, Clock()), 0
    for spec, place in planned(one)[: 2 * GAP]:
        made, built = plates.make(place).layers[0], plate.build(spec, Clock(), view(spec)).screens[0]
        assert made
        assert built
        assert offset(made.box, built.box) <= 1
        ends = [plates.make(Place(time, time, time)).layers[0] for time in (place.start, place.end)]
        beyond = max(beyond, min(end.box.y for end in ends if end) - built.box.y)
    assert beyond > 10


def test_a_quick_laptop_has_a_single_outline() -> None:
    """Where an outline moves by half of the largest motion, neither key pose is visible beside it."""
    turn = [
        {"at": at, "ease": "linear", "deviceTransform": {"rotationY": angle}}
        for at, angle in ((0, 130), (2 / FPS, 132.9))
    ]
    canvas = {"width": 960, "height": 720}
    one = film({"device": "macbook-air-13-m3", "canvas": canvas}, keyframes=turn)
    spec, place = planned(one)[1]
    assert place == Place(1 / FPS, 0, 2 / FPS)
    assert displacement(one.spec(place.start), one.spec(place.end)) > 0.8 * MOST
    made, built = whole(KeyPlates(one, Clock()), place), plate.build(spec, Clock(), view(spec))
    assert apart(made, built)[2] < 25


def test_points_move_as_cameras_project_them() -> None:
    one = film({"device": "macbook-air-13-m3"}, **FLOAT)
    before, after = one.spec(0), one.spec(0.12)
    cameras = [view(spec).stage.camera for spec in (before, after)]
    seen = surface(before, Clock())
    assert np.abs(motion(seen, cameras[0])).max() < 0.05
    device = before.instances[0]
    middle = locate(device, device.device.screens[0]).origin[None]
    (here,), (there,) = (camera.project(middle) for camera in cameras)
    column, row = ((here - seen.box[:2]) / 4).astype(int)
    assert np.abs(motion(seen, cameras[1])[row, column] - (there - here)).max() < 0.1
    assert np.hypot(*(there - here)) > 1


def test_a_screen_may_enter_at_one_end_and_leave_at_the_other() -> None:
    settings = {
        "device": "card",
        "canvas": {"width": 640, "height": 480},
        "shadow": {"enabled": False},
    }
    # Only the card's lower corners are in the picture: one in the first key pose, the other in the last.
    at = {"positionY": 1.984, "scale": 1.25}
    turns = [
        {"at": 0, "ease": "linear", "deviceTransform": {"rotationZ": -1.4, **at}},
        {"at": 2 / FPS, "deviceTransform": {"rotationZ": 1.4, **at}},
    ]
    one = film(settings, keyframes=turns)
    plates = KeyPlates(one, Clock())
    seen = [plates.make(place).layers[0] for _, place in planned(one)[:3]]
    first, between, last = [layer.box if layer else Box(0, 0, 0, 0) for layer in seen]
    assert first.area
    assert last.area
    assert not first.clipped(last).area
    assert between.area


def test_between_a_plate_and_itself_is_the_plate() -> None:
    one = film({}, **FLOAT)
    spec = one.spec(0)
    seen, built = view(spec), plate.build(spec, Clock(), view(spec))
    still = surface(spec, Clock())
    end = cut(built.base, BuiltPlate.of(built))
    made = blended(KeyPair(end, end, still, motion(still, seen.stage.camera)), seen, 0.3)
    assert made is not None
    assert apart(joined(made).drawn(built.base.copy()), built)[2] <= 1
