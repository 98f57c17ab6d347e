"""The light that devices of a scene hide from each other, and the light they reflect instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32, U8
from service.clock import Clock
from service.render.geometry.camera import stage
from service.render.light import neighbours
from service.render.light.environment import turned
from service.render.light.frame import Frame
from service.render.light.shading import Light
from service.render.paint.radiance import radiance
from service.render.paint.textures import TextureFiles
from service.render.plates import plate
from service.render.tone import linear
from service.settings.scene import PlateSpec
from tests.render.test_arrangement import PHONE, TABLET, spec
from tests.render.test_assembly import inside

CANVAS: dict[str, Any] = {"canvas__width": 360, "canvas__height": 270, "ground__kind": "none"}


def scene(depth: float = 25, **changes: Any) -> PlateSpec:
    """A phone in front of a tablet's metal back. The scene's background shadow falls outside the canvas."""
    back = {
        "device": TABLET,
        "appearance": {"deviceColor": "Silver"},
        "deviceTransform": {"rotationY": 180},
    }
    phone = {"device": PHONE, "depth": depth, "deviceTransform": {"positionX": -0.1}}
    whole = {**CANVAS, "deviceTransform__framing": "upright", "shadow__offsetX": 0.5, **changes}
    return spec([back, phone], **whole)


def frames(of: PlateSpec) -> list[Frame]:
    light = Light(turned(of.environment, of.turn), of.light, of.glare)
    return [
        Frame.of(one.device, TextureFiles(one.device, camera.k), camera, light, linear(one.tint))
        for one, camera in zip(of.instances, stage(of).cameras, strict=True)
    ]


def painted(of: PlateSpec) -> U8:
    return plate.build(of, Clock()).base[..., :3]


def lost(of: PlateSpec, bare: PlateSpec) -> F32:
    """The number of code values (h, w) by which the phone darkens the tablet beside it."""
    beside = (inside(of, 0) >= 1) & (inside(of, 1) == 0)
    gone = painted(bare).astype(np.float32).mean(axis=-1) - painted(of).mean(axis=-1)
    return np.where(beside, gone, 0)


def test_a_back_loses_the_mirrored_light_that_is_hidden() -> None:
    of = scene()
    bare = scene(shadow__enabled=False)
    gone = lost(of, bare)
    columns = np.nonzero(inside(of, 1) >= 1)[1]
    near = gone[:, columns.min() - 12 : columns.max() + 12]
    assert near.max() > 30
    assert gone.min() > -6
    # Far away, hardly any light is lost.
    assert np.abs(gone[:, columns.max() + 60 :]).max() < near.max() / 4
    assert near.max() > 1.3 * lost(scene(90), scene(90, shadow__enabled=False)).max()


def test_the_opacity_of_shadows_is_its_strength() -> None:
    bare = scene(shadow__enabled=False)
    whole, half = (lost(scene(shadow__opacity=one), bare) for one in (0.5, 0.25))
    deep = whole > 20
    assert deep.sum() > 50
    assert 0.3 < np.median(half[deep] / whole[deep]) < 0.7
    assert (painted(scene(shadow__opacity=0.0)) == painted(bare)).all()


def test_a_device_alone_has_no_neighbours() -> None:
    one = frames(spec([{"device": PHONE}], **CANVAS))
    assert neighbours.placed(one, stage(spec([{"device": PHONE}], **CANVAS)), 1.0)[0].neighbours is None


def test_each_device_sees_the_others_from_its_place() -> None:
    of = scene()
    tablet, phone = map(neighbours.of, neighbours.placed(frames(of), stage(of), 1.0))
    assert tablet is not None
    assert phone is not None
    apart = stage(of).shift(1) - stage(of).shift(0)
    fronts = [one.middle for one in tablet.occluders]
    assert min(np.abs(middle - apart).max() for middle in fronts) < 5
    assert min(np.abs(one.middle + apart).max() for one in phone.occluders) < 5


def test_a_face_close_to_another_device_sends_less() -> None:
    def strengths(depth: float) -> tuple[float, float]:
        """The light that the phone sends from its front, towards the camera, and from its back, towards the
        tablet."""
        of = scene(depth)
        tablet = neighbours.of(neighbours.placed(frames(of), stage(of), 1.0)[0])
        assert tablet is not None
        front, back = tablet.occluders
        assert front.axes[2][2] > 0 > back.axes[2][2]
        return front.face.light.strength, back.face.light.strength

    front, near = strengths(25)
    _, far = strengths(400)
    assert front == pytest.approx(1, abs=0.02)
    assert near < 0.6 < far


def test_a_foot_is_the_place_where_a_device_comes_close() -> None:
    of = scene()
    tablet = neighbours.of(neighbours.placed(frames(of), stage(of), 1.0)[0])
    assert tablet is not None
    front = tablet.occluders[0]
    axes = np.eye(3, dtype=np.float32)
    below = np.array([0, front.middle[1] - front.half[1] - 1, 0], np.float32)
    floor = np.array([axes[0], -axes[2], axes[1]])
    corners = neighbours.foot(front, below, floor)
    assert corners is not None
    assert len(corners) == 2
    assert np.ptp(corners[:, 0]) == pytest.approx(2 * front.half[0], rel=1e-3)
    assert neighbours.foot(front, below - np.array([0, 50, 0], np.float32), floor) is None


def test_a_wall_mirrors_the_device_beside_it() -> None:
    pair = [{"device": PHONE, "deviceTransform": {"positionX": x, "rotationY": 30}} for x in (-0.3, 0.3)]
    of = spec(pair, **CANVAS, deviceTransform__framing="upright")
    placed = [neighbours.placed(frames(of), stage(of), strength)[0] for strength in (0.5, 1.0)]
    alone, half, whole = (
        radiance(frame, frame.device.slab("body")).vertices for frame in (frames(of)[0], *placed)
    )
    assert np.abs(whole - alone).max() > 0.02
    np.testing.assert_allclose(half, (alone + whole) / 2, atol=1e-5)
