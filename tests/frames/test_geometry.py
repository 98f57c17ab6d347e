"""Slabs compared with the measurements of their sheets."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from frames.generator.sheet import known, read
from service.arrays import F64
from service.devices.device import Device, Slab
from service.devices.families.fitted import MM, OVERLAP
from service.devices.families.pose import box_of
from service.devices.families.sheet import (
    BrowserWindow,
    CameraPlate,
    Console,
    Foldable,
    Handheld,
    Laptop,
    Sheet,
    Watch,
)
from service.render.geometry.mesh import mesh
from service.render.geometry.outline import outline
from service.shipped import FRAMES
from tests.support.looped import looped

# Height of closed laptops, mm, without feet.
CLOSED = {
    "dell-xps-13": 14.8,
    "laptop": 15.2,
    "macbook-air-13-m3": 11.3,
    "macbook-air-15": 11.5,
    "macbook-neo": 12.7,
    "macbook-pro-14": 15.5,
    "macbook-pro-16": 16.8,
    "surface-laptop-13-8": 17.5,
    "thinkpad-x1-carbon": 14.96,
}

FALL = 0.3  # mm; how far a rounded wall may have receded where a button ends


def device(identifier: str) -> Device:
    return Device.model_validate_json((FRAMES / identifier / "device.json").read_bytes())


@cache
def sheets() -> dict[str, Sheet]:
    return {identifier: read(identifier) for identifier in known()}


def of_family(family: type) -> list[str]:
    """The ids of a family's devices, except folded ones."""
    found = [(one, sheet) for one, sheet in sheets().items() if isinstance(sheet, family)]
    return [one for one, sheet in found if not isinstance(sheet, Foldable) or sheet.opening == 180]


def carried(camera: CameraPlate) -> list[CameraPlate]:
    """The slabs of a camera: its plate and all plates that stand on it."""
    return [camera, *(plate for island in camera.islands for plate in carried(island))]


def outward(slab: Slab) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.cross(slab.x, slab.y)


@looped("identifier", of_family(Handheld))
def test_body_and_bezels_follow_the_sheet(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Handheld)
    body = item.slabs[0]
    assert item.body == sheet.body
    assert body.size == (*sheet.body[:2], sheet.thickness if isinstance(sheet, Console) else sheet.body[2])
    if body.corner.offset:
        # The corners of body and screen are concentric: the body's radius is larger by the bezel.
        for axis in (0, 1):
            bezel = (body.size[axis] - sheet.screen.size[axis]) / 2
            assert body.corner.offset == pytest.approx(bezel, abs=0.05)


@looped("identifier", of_family(Handheld))
def test_buttons_are_at_their_measured_places(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Handheld)
    width, height, _ = item.body
    for button in sheet.buttons:
        slab = next(slab for slab in item.slabs if slab.name == button.name)
        normal = outward(slab)
        tip = np.array(slab.center) + normal * slab.size[2] / 2
        if button.side == "top":
            assert tip[1] == pytest.approx(height / 2 + button.protrusion)
            assert tip[0] + width / 2 == pytest.approx(button.center)
        else:
            sign = -1 if button.side == "left" else 1
            assert tip[0] * sign == pytest.approx(width / 2 + button.protrusion)
            assert height / 2 - tip[1] == pytest.approx(button.center)
        assert slab.size[0] == button.length
        assert slab.base is not None
        wall = np.array(slab.center) + normal * slab.base
        raised = sheet.guard.protrusion if sheet.guard and button.side == "right" else 0.0
        half = (height if button.side == "top" else width) / 2
        assert abs(wall @ normal) == pytest.approx(half + raised)
        wells = [decal for decal in item.slabs[0].decals if decal.image.startswith("parts/well-")]
        assert raised or any(decal.image.startswith(f"parts/well-{button.length:g}x") for decal in wells)


@looped("identifier", of_family(Handheld))
def test_buttons_end_before_their_wall_turns_away(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Handheld)
    body = item.slabs[0]
    corner = outline(*body.size[:2], body.corner).points
    corner = corner[(corner > 0).all(axis=1)]
    for button in sheet.buttons:
        slab = next(slab for slab in item.slabs if slab.name == button.name)
        along, across = (0, 1) if button.side == "top" else (1, 0)
        end = abs(slab.center[along]) + button.length / 2
        order = np.argsort(corner[:, along])
        wall = np.interp(end, corner[order, along], corner[order, across])
        assert body.size[across] / 2 - wall < FALL, button.name


@looped("identifier", [i for i in of_family(Handheld) if device(i).category == "phone"])
def test_camera_stands_out_of_the_back(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Handheld)
    assert sheet.camera is not None
    standing = [slab for slab in item.slabs if slab.name.startswith(("camera", "lens"))]
    assert all(outward(slab) == pytest.approx([0, 0, -1]) for slab in standing)
    named = {slab.name: slab for slab in item.slabs}
    plates = [plate for plate in carried(sheet.camera) if plate.size]
    if plates:
        plate = named["camera"]
        top = plate.center[2] - plate.size[2] / 2
        assert top == pytest.approx(-sheet.body[2] / 2 - plates[0].rise)
    if sheet.camera.size:
        # Seen from behind, the plate's left side is the device's right side.
        assert plate.center[0] == -sheet.camera.center[0]
    lenses = [slab for slab in standing if slab.name.startswith("lens")]
    raised = [lens for plate in carried(sheet.camera) for lens in plate.lenses if lens.rise]
    assert len(lenses) == len(raised)
    assert len(standing) == len(plates) + len(lenses)
    for slab in standing:
        # Each part stands on the face of its parent or, over a rounded edge, begins below that face.
        assert slab.parent is not None
        assert slab.base is not None
        parent, sunk = named[slab.parent], sheet.camera.sunk if slab.name == "camera" else 0.0
        face = parent.center[2] - parent.size[2] / 2
        assert slab.center[2] - slab.base == pytest.approx(face + sunk, abs=1e-3)
        assert sunk < parent.edge
        reach = np.abs(np.subtract(slab.center, parent.center))[:2] + np.array(slab.size[:2]) / 2
        assert (reach <= np.array(parent.size[:2]) / 2).all()
    flat = item.slabs[0].back.layers if item.slabs[0].back else ()
    layers = [*flat, *(layer for slab in standing for layer in slab.front.layers)]
    assert max(layer.depth for layer in layers) > 1


def test_a_light_bezel_has_the_colour_that_the_finish_says() -> None:
    tablet, phone = device("pixel-tablet"), device("pixel-8")
    assert tablet.slabs[0].front.tinted
    assert tablet.slabs[0].front.tone == "light"
    assert all(finish.light for finish in tablet.finishes)
    assert not phone.slabs[0].front.tinted


@looped("identifier", of_family(Laptop))
def test_laptop_opens_by_its_angle_and_is_centred(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Laptop)
    slabs = {slab.name: slab for slab in item.slabs}
    lid, deck = slabs["lid"], slabs["deck"]
    assert outward(lid) == pytest.approx([0, 0, 1])
    between = np.degrees(np.arccos(outward(lid) @ outward(deck)))
    assert between == pytest.approx(180 - sheet.opening, abs=1e-3)
    low, high = box_of(item.slabs)
    assert np.add(low, high) == pytest.approx(np.zeros(3), abs=1e-3)
    assert np.subtract(high, low) == pytest.approx(item.body, abs=1e-3)
    # Closed, lid and deck together have the maker's thickness.
    assert sheet.lid_thickness + sheet.deck_thickness == pytest.approx(CLOSED[identifier], abs=0.75)
    top = lid.size[1] / 2 - item.screen.center[1] - item.screen.size[1] / 2
    assert top == pytest.approx(sheet.bezel)


@looped("identifier", of_family(Laptop))
def test_laptop_parts_do_not_cut_into_each_other(identifier: str) -> None:
    item = device(identifier)
    slabs = {slab.name: slab for slab in item.slabs}
    deck, lid = slabs["deck"], slabs["lid"]
    bars = [slab for slab in item.slabs if slab.name.startswith("hinge")]
    assert bars
    for part in (lid, *bars):
        # The quarter circles of a rounded edge reach `reach` beyond their centres in every direction.
        reach = part.edge if part is not lid else 0.0
        centers = np.array(
            [
                np.array(part.center)
                + sy * (part.size[1] / 2 - reach) * np.array(part.y)
                + sz * (part.size[2] / 2 - reach) * outward(part)
                for sy in (-1, 1)
                for sz in (-1, 1)
            ]
        )
        above = (centers - np.array(deck.center)) @ outward(deck) - deck.size[2] / 2 - reach
        assert above.min() >= -1e-4
        if part is not lid:
            assert (centers[:, 1] + reach - (lid.center[1] - lid.size[1] / 2)).max() <= 1e-4


@looped("identifier", of_family(Laptop))
def test_nothing_shows_between_a_lid_and_a_barrel(identifier: str) -> None:
    """From 5 to 60 degrees above the deck, the barrel reaches up to the lid, and almost from side to side."""
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Laptop)
    if sheet.hinge != "barrel":
        return
    lid, hinge, deck = (item.slab(name) for name in ("lid", "hinge", "deck"))
    assert lid.size[0] - hinge.size[0] < 2.4 * sheet.radius
    for above in np.radians(np.arange(5, 61)):
        upwards = np.cos(above) * outward(deck) + np.sin(above) * np.array(deck.y)
        assert highest(hinge, upwards) >= -highest(lid, -upwards) - 1e-3, np.degrees(above)


def highest(slab: Slab, toward: F64) -> float:
    """How far a slab with rounded edges reaches in a direction across x, mm from the device's centre."""
    half = np.array(slab.size)[1:] / 2 - slab.edge
    axes = np.array([slab.y, outward(slab)])
    return float(np.array(slab.center) @ toward + np.abs(axes @ toward) @ half + slab.edge)


@looped("identifier", of_family(BrowserWindow))
def test_window_puts_the_bars_above_the_viewport(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, BrowserWindow)
    bars = item.slabs[0].front.layers[0]
    assert bars.center[1] + bars.size[1] / 2 == pytest.approx(item.body[1] / 2)
    assert item.screen.center[1] - item.screen.size[1] / 2 == pytest.approx(-item.body[1] / 2)
    top = item.screen.center[1] + item.screen.size[1] / 2
    assert bars.center[1] - bars.size[1] / 2 == pytest.approx(top - OVERLAP * MM)
    assert not item.slabs[0].front.tinted


@looped("identifier", of_family(Watch))
def test_watch_case_crown_and_straps_follow_the_sheet(identifier: str) -> None:
    sheet, item = read(identifier), device(identifier)
    assert isinstance(sheet, Watch)
    slabs = {slab.name: slab for slab in item.slabs}
    case = slabs["body"]
    assert case.size == sheet.body
    assert item.body[1] > 1.4 * sheet.body[1]  # straps are included
    low, high = box_of(item.slabs)
    assert np.add(low, high) == pytest.approx(np.zeros(3), abs=1e-3)
    top, bottom = slabs["strap-top"], slabs["strap-bottom"]
    assert np.multiply(top.center, (1, -1, 1)) - np.multiply(case.center, (1, -1, 1)) == pytest.approx(
        np.subtract(bottom.center, case.center), abs=1e-6
    )
    for number, crown in enumerate(sheet.crowns, 1):
        slab = slabs[f"crown-{number}"]
        tip = np.array(slab.center) + outward(slab) * slab.size[2] / 2 - np.array(case.center)
        assert tip[0] == pytest.approx(sheet.body[0] / 2 + crown.protrusion)
        assert sheet.body[1] / 2 - tip[1] == pytest.approx(crown.center)


@looped("identifier", of_family(Watch))
def test_watch_screens_lie_on_flat_glass(identifier: str) -> None:
    item = device(identifier)
    slab, screen = item.slab(item.screen.slab), item.screen
    flat = mesh(slab).caps[0] - np.array(slab.center)
    lit = outline(*screen.size, screen.corner).points
    # The flat part of the face is convex, so the screen is on it if every point of it is inside all edges.
    step = np.roll(flat[:, :2], -1, axis=0) - flat[:, :2]
    step = (
        np.column_stack([step[:, 1], -step[:, 0]]) / np.maximum(np.linalg.norm(step, axis=1), 1e-9)[:, None]
    )
    beyond = (lit @ step.T - np.einsum("ij,ij->i", flat[:, :2], step)).max()
    assert beyond * screen.px[0] / screen.size[0] < 0.5


@looped("identifier", of_family(Laptop))
def test_deck_and_pan_have_the_thickness_of_the_sheet(identifier: str) -> None:
    sheet, slabs = read(identifier), {slab.name: slab for slab in device(identifier).slabs}
    assert isinstance(sheet, Laptop)
    deck = slabs["deck"]
    lowest = slabs.get("pan", deck)
    top = np.array(deck.center) + outward(deck) * deck.size[2] / 2
    bottom = np.array(lowest.center) - outward(deck) * lowest.size[2] / 2
    assert (top - bottom) @ outward(deck) == pytest.approx(sheet.deck_thickness, abs=1e-3)
    assert (lowest is deck) == (sheet.pan is None)
    if sheet.pan is not None:
        assert deck.size[0] - lowest.size[0] == pytest.approx(2 * sheet.pan[0])
        # Walls are straight at the places of ports.
        high = max(decal.size[1] / 2 + abs(decal.across) for decal in deck.decals if decal.side != "bottom")
        assert high <= deck.size[2] / 2 - deck.edge + 1e-6
