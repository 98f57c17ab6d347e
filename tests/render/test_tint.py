"""`appearance.deviceColor` colours the metal and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from service.devices.device import catalogue
from service.render.geometry.camera import aim
from service.render.geometry.mesh import pose
from service.render.light.tint import colors
from service.render.tone import linear
from service.validation.color import parse
from tests.render.posing import DEVICES, built, flat, picture, scene

CANVAS = {"canvas.width": 480, "canvas.height": 360, "shadow.enabled": False}
RED, BLUE = {"appearance.deviceColor": "#C02018"}, {"appearance.deviceColor": "#1838C0"}


@pytest.mark.parametrize("device", sorted({*DEVICES} - {"browser-chrome-light"}))
def test_metal_takes_the_colour_and_the_screen_does_not(device: str) -> None:
    given = CANVAS | {"device": device, "deviceTransform.rotationY": -35}
    size = catalogue()[device].screen.px
    shot = flat((120, 130, 140), (size[0] // 10, size[1] // 10))
    red, blue = picture(shot, given | RED).astype(int), picture(shot, given | BLUE).astype(int)
    hole = built(scene(given | BLUE, size).spec).screens[0]
    assert hole is not None
    screen = np.zeros(red.shape[:2], bool)
    screen[hole.box.slices] = hole.gain > 0.5 * 65535
    assert screen.sum() > 2000
    assert np.abs(red - blue)[screen].max() <= 1
    changed = (red - blue)[..., 0] > 40
    assert changed.sum() > 150
    assert (red[changed, 0] > red[changed, 2]).all()
    assert (blue[changed, 2] > blue[changed, 0]).all()


def test_the_light_tone_is_the_makers_or_paler() -> None:
    imac, phone = catalogue()["imac-24"], catalogue()["iphone-16-pro"]
    blue = imac.finishes[0]
    assert blue.light is not None
    own = colors(imac, linear(parse(blue.hex)))
    assert own.face(imac.slab("body").front) == pytest.approx(linear(parse(blue.light)))
    assert own.wall(imac.slab("body")) == pytest.approx(linear(parse(blue.hex)))
    any_other = np.array([0.1, 0.2, 0.3], np.float32)
    paler = colors(imac, any_other).face(imac.slab("body").front)
    assert (paler > any_other + 0.2).all()
    assert (paler < 1).all()
    assert colors(phone, any_other).wall(phone.slabs[0]) == pytest.approx(any_other)


def test_a_screen_takes_no_colour_from_its_surroundings() -> None:
    given = CANVAS | {"device": "imac-24", "reflection.enabled": False}
    shot = flat((0, 0, 0), (448, 252))
    whole, quick = picture(shot, given), picture(shot, given, fast=True)
    hole = built(scene(given, (448, 252)).spec).screens[0]
    assert hole is not None
    for made in (whole, quick):
        assert made[hole.box.slices][hole.gain > 65000].max() <= 12
        # The print around it is white.
        y, x = hole.box.y - 3, hole.box.x + 40
        assert made[y, x, :3].min() > 190


@pytest.mark.parametrize("device", ["iphone-16-pro", "iphone-15-pro-max", "pixel-9-pro", "ipad-pro-11-m4"])
def test_lenses_keep_their_own_colour(device: str) -> None:
    given = CANVAS | {"device": device, "deviceTransform.rotationY": 180}
    item = catalogue()[device]
    shot = flat((120, 130, 140), (item.screen.px[0] // 10, item.screen.px[1] // 10))
    of = scene(given | RED, item.screen.px)
    camera = aim(of.spec)
    lenses = [slab for slab in item.slabs if slab.parent and slab.front.surface in ("glass", "lens")]
    assert lenses
    red, blue = picture(shot, given | RED).astype(float), picture(shot, given | BLUE).astype(float)
    for slab in lenses:
        axes, center = pose(slab)
        x, y = camera.project((center + axes[:, 2] * slab.size[2] / 2)[None])[0].astype(int)
        # Lamps are nearer to dark devices. That changes the brightness of a lens, but by the same factor in
        # all channels.
        brighter = red[y, x].sum() / blue[y, x].sum()
        assert 0.8 < brighter < 1.25
        assert np.abs(red[y, x] - blue[y, x] * brighter).max() <= 2


def test_finishes_can_be_given_by_name() -> None:
    item = catalogue()["iphone-16-pro"]
    shot = flat((9, 9, 9))
    for finish in item.finishes[:2]:
        named = picture(shot, CANVAS | {"appearance.deviceColor": finish.name.upper()})
        assert (named == picture(shot, CANVAS | {"appearance.deviceColor": finish.hex})).all()
    assert (
        picture(shot, CANVAS) == picture(shot, CANVAS | {"appearance.deviceColor": item.finishes[0].hex})
    ).all()
