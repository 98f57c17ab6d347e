"""Frames, and functions that are memoised per frame."""

from __future__ import annotations

import gc
from contextlib import suppress
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest

from service.clock import CancelledError, Clock
from service.devices.device import Device, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.frame import Frame, per_frame
from service.render.light.shading import Light
from service.render.paint.order import halvings, visible
from service.render.paint.textures import TextureFiles
from service.render.passes import PASSES
from service.render.plates import plate
from service.render.quality import FULL, PREVIEW, Quality
from tests.render.posing import scene

RENDER = Path(__file__).resolve().parents[2] / "service" / "render"
PHONE = catalogue()["iphone-16-pro"]


def frame(k: float, quality: Quality = FULL) -> Frame:
    camera = Camera(rotation(0, 0, 0), k, 1500.0, (400.0, 300.0), 800, 600)
    tint = np.full(3, 0.5, np.float32)
    return Frame.of(PHONE, TextureFiles(PHONE), camera, Light(load("studio"), 1.0), tint, quality)


def test_a_frame_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        frame(4.0).samples = 9  # type: ignore[misc]


@pytest.mark.parametrize(("k", "full", "preview"), [(0.5, 8, 3), (3.0, 6, 2), (40.0, 3, 2)])
def test_small_devices_have_more_samples_a_pixel(k: float, full: int, preview: int) -> None:
    assert frame(k).samples == full
    assert frame(k, PREVIEW).samples == preview


def test_grooves_narrower_than_corners_may_be_have_fewer_segments() -> None:
    watch = catalogue()["apple-watch-series-10-46"]
    crown = next(slab for slab in watch.slabs if slab.flutes)
    tint, light = np.full(3, 0.5, np.float32), Light(load("studio"), 1.0)

    def fineness(k: float) -> int:
        camera = Camera(rotation(0, 0, 0), k, 1500.0, (400.0, 300.0), 800, 600)
        return halvings(Frame.of(watch, TextureFiles(watch), camera, light, tint, PREVIEW), crown).corners

    # The grooves are a third of a millimetre wide, and the crown itself has a radius of millimetres.
    assert fineness(3.0) == fineness(20.0) + 1


@pytest.mark.parametrize("role", ["crown", "case"])
def test_corners_of_four_px_and_edges_of_two_are_small_in_previews(role: str) -> None:
    watch = catalogue()["apple-watch-series-10-46"]
    slab = next(slab for slab in watch.slabs if (slab.flutes > 0 if role == "crown" else slab.role == role))
    tint, light = np.full(3, 0.5, np.float32), Light(load("studio"), 1.0)
    corner = slab.corner.extent
    if slab.flutes:
        # The grooves of a crown are narrower than its corners.
        groove = np.pi * slab.size[0] / slab.flutes
        assert groove < corner
        corner = groove

    def found(k: float) -> tuple[int, int]:
        camera = Camera(rotation(0, 0, 0), k, 1500.0, (400.0, 300.0), 800, 600)
        more = halvings(Frame.of(watch, TextureFiles(watch), camera, light, tint, PREVIEW), slab)
        return more.corners - PREVIEW.halvings, more.edges - PREVIEW.halvings

    assert [found(px / corner)[0] for px in (3.99, 4.01)] == [1, 0]
    assert [found(px / slab.edge)[1] for px in (1.99, 2.01)] == [1, 0]


def test_parts_on_side_walls_that_are_narrow_are_left_out_of_previews() -> None:
    def parts(k: float, turn: float, quality: Quality, device: Device = PHONE) -> set[str]:
        camera = Camera(rotation(0, turn, 0), k, 1500.0, (400.0, 300.0), 800, 600)
        tint = np.full(3, 0.5, np.float32)
        of = Frame.of(device, TextureFiles(device), camera, Light(load("studio"), 1.0), tint, quality)
        return {slab.name for slab in visible(of) if slab.role == "part"}

    full = parts(1.0, 35, FULL)
    assert "action" in full
    assert not parts(1.0, 35, PREVIEW)
    # As the phone turns its side to the camera, or comes closer, its buttons grow wider than that.
    assert "action" in parts(1.0, 80, PREVIEW)
    assert parts(3.0, 35, PREVIEW) == full
    # Its cameras are wide enough.
    assert "camera" in parts(1.0, 180, PREVIEW)
    # Keys on a front may belong to a larger sign, such as a plus.
    assert "key-6" in parts(1.0, 35, PREVIEW, catalogue()["switch-2"])


def test_only_raised_parts_stand_on_a_slab() -> None:
    of = frame(4.0)
    body = PHONE.slab("body")
    assert of.under(PHONE.slab("camera")) is body
    assert of.under(body) is None


def test_per_frame_results_are_shared_with_finer_frames() -> None:
    calls = []

    @per_frame
    def found(of: Frame, number: int) -> float:
        calls.append(number)
        return of.camera.k + number

    one = frame(4.0)
    fine = replace(one, camera=one.camera.finer(3))
    assert [found(one, 1), found(one, 2), found(one, 1), found(fine, 2)] == [5, 6, 5, 6]
    assert calls == [1, 2]
    assert found(frame(5.0), 1) == 6


def test_each_pass_is_a_file_of_its_own() -> None:
    files = {path.stem for path in (RENDER / "passes").glob("[a-z]*.py")} - {"target"}
    assert {str(one.__name__).rpartition(".")[2] for one in PASSES} == files  # type: ignore[attr-defined]


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_plate_leaves_nothing_to_the_garbage_collector(
    cancelled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laptop's glass reflects its keyboard, and this reflection refers to the frame whose cache holds it: a
    reference cycle."""
    spec = scene({"device": "macbook-air-13-m3", "ground.kind": "floor"}, (64, 40)).spec
    clock = Clock()

    def finished(*_: object, **__: object) -> None:
        clock.cancel()
        clock.check()

    if cancelled:
        monkeypatch.setattr(plate, "_finished", finished)
    gc.collect()
    gc.disable()
    try:
        with suppress(CancelledError):
            plate.build(replace(spec, width=96, height=64, moving=True), clock)
        left = [one for one in gc.get_objects() if isinstance(one, Frame)]
    finally:
        gc.enable()
    assert not left
