"""Devices have distinctive features that were once missing."""

from __future__ import annotations

import numpy as np
import pytest

from service.devices.device import Device, Slab, catalogue
from service.devices.finishes import in_finish
from service.render.geometry.footing import rooted
from service.render.paint.textures import TextureFiles
from service.validation.color import parse


def finished(identifier: str, name: str) -> Device:
    """A device in the finish of that name."""
    device = catalogue()[identifier]
    return in_finish(device, parse(next(one.hex for one in device.finishes if one.name == name)))


def back(device: Device) -> list[str]:
    """The pictures on the back of a device's body."""
    face = device.slab("body").back
    assert face is not None
    return [layer.image for layer in face.layers]


@pytest.mark.parametrize("identifier", ["galaxy-watch-8", "pixel-watch-4"])
def test_the_face_of_a_round_watch_has_a_black_border_under_raised_glass(identifier: str) -> None:
    watch = catalogue()[identifier]
    glass, case = watch.slab("dial"), watch.slab("body")
    assert watch.screen.slab == "dial"
    assert (glass.surface, glass.tinted) == ("glass", False)
    assert (glass.size[0] - watch.screen.size[0]) / 2 > 1.5
    assert glass.center[2] + glass.size[2] / 2 > case.center[2] + case.size[2] / 2 + 1
    assert glass.base is not None
    # The dial's wall begins below the front, because it also stands above the case's rounded edge.
    assert glass.center[2] + glass.base <= case.center[2] + case.size[2] / 2


@pytest.mark.parametrize("identifier", ["pixel-8", "pixel-8-pro"])
def test_the_camera_bar_ends_in_the_side_rails(identifier: str) -> None:
    phone = catalogue()[identifier]
    bar, body = phone.slab("camera"), phone.slab("body")
    assert bar.size[0] == body.size[0]
    assert bar.base is not None
    # The bar's wall reaches beyond its own base, to where the body's wall begins: it mirrors the rail below
    # it rather than the back.
    foot = float(rooted(bar, body).points[:, 2].max())
    assert foot == pytest.approx(body.edge - body.size[2] / 2, abs=0.01)
    assert foot > bar.center[2] - bar.base + 0.2


def test_the_cross_is_one_piece() -> None:
    deck = catalogue()["steam-deck-oled"]

    def top(slab: Slab) -> float:
        return slab.center[2] + slab.size[2] / 2

    names = [slab.name.removesuffix("-middle") for slab in deck.slabs if slab.name.endswith("-middle")]
    assert len(names) == 1
    middle, bar, left, right = (deck.slab(f"{names[0]}{part}") for part in ("-middle", "", "-left", "-right"))
    assert middle.center[:2] == bar.center[:2]
    assert 0 < top(middle) - top(bar) < 0.01, "so low that its edge does not show"
    assert middle.size[0] > bar.size[0]
    assert middle.size[1] == pytest.approx(left.size[0] - 2 * left.edge, abs=1e-3)
    for arm, side in ((left, -1), (right, 1)):
        assert top(arm) == top(bar)
        assert arm.joined == ("bottom",)
        inner = arm.center[0] - side * arm.size[1] / 2
        assert side * (inner - bar.center[0]) == pytest.approx(bar.size[0] / 2, abs=0.05), "beside the bar"


def test_the_keys_of_the_switch_have_their_signs() -> None:
    console = catalogue()["switch-2"]
    drawn = [layer.image for slab in console.slabs for layer in slab.front.layers]
    for sign in ("up", "down", "left", "right", "home", "capture", "a", "b", "c", "x", "y"):
        assert drawn.count(f"parts/legend-3.4x3.4-{sign}.png") == 1


@pytest.mark.parametrize("name", ["steam-deck-oled", "switch-2"])
def test_buttons_are_polished_and_sticks_hollow(name: str) -> None:
    controls: dict[str, list[Slab]] = {"button": [], "cross": [], "stick": []}
    for slab in catalogue()[name].slabs:
        kind, _, place = slab.name.partition("-")
        if kind in controls and (kind == "cross" or place.isdecimal()):
            controls[kind].append(slab)
    for slab in controls["button"] + controls["cross"]:
        assert {slab.surface, slab.front.surface} == {"gloss"}, slab.name
    assert len(controls["stick"]) == 2
    for stick in controls["stick"]:
        (hollow,) = stick.front.layers
        assert "/dish-" in hollow.image
        assert hollow.size[0] == pytest.approx(stick.size[0] - 2 * stick.front.inset)


def test_only_one_finish_is_leather() -> None:
    leather = [image for image in back(catalogue()["oneplus-13"]) if "/leather-" in image]
    assert len(leather) == 1
    for name, surface in {
        "Midnight Ocean": "soft",
        "Arctic Dawn": "frosted",
        "Black Eclipse": "frosted",
    }.items():
        device = finished("oneplus-13", name)
        face = device.slab("body").back
        assert face is not None
        assert face.surface == surface
        assert (leather[0] in back(device)) == (name == "Midnight Ocean")
        assert any("/strip-" in image for image in back(device))


def test_the_parts_of_a_transparent_back_lie_under_its_glass() -> None:
    face = catalogue()["nothing-phone-3"].slab("body").back
    assert face is not None
    parts = [layer for layer in face.layers if "/panel-" in layer.image or "/ribs-" in layer.image]
    assert len(parts) == 8
    assert all(layer.depth > 0.5 for layer in parts)


def test_the_flash_of_the_xiaomi_is_beside_its_island() -> None:
    phone = catalogue()["xiaomi-15"]
    assert not any("/flash-" in layer.image for layer in phone.slab("camera").front.layers)
    assert any("/flash-" in image for image in back(phone))


def test_function_keys_of_every_mac_show_their_symbols() -> None:
    for identifier, entry in catalogue().entries.items():
        if entry.category == "laptop" and entry.brand == "Apple":
            deck = catalogue()[identifier].slab("deck").front
            assert any(layer.image.endswith("-signs.png") for layer in deck.layers), identifier


def test_a_barrel_almost_as_wide_as_the_lid_joins_it_to_the_deck() -> None:
    for identifier in ("laptop", "dell-xps-13", "macbook-air-13-m3", "macbook-air-15", "macbook-neo"):
        device = catalogue()[identifier]
        hinge, lid = device.slab("hinge"), device.slab("lid")
        assert lid.size[0] - hinge.size[0] < 32, identifier
        # It is round, and forms no ridge in front of the lid's glass.
        assert hinge.edge > 0.45 * hinge.size[2] > 0.9
        assert hinge.center[2] + hinge.size[1] / 2 < lid.center[2] + lid.size[2] / 2


def test_a_porcelain_tablet_has_one_colour() -> None:
    porcelain = catalogue()["pixel-tablet"].finishes[0]
    assert porcelain.light == porcelain.hex


@pytest.mark.parametrize(
    ("identifier", "color", "dark"),
    [
        ("surface-laptop-13-8", "#2a2b2e", True),
        ("surface-laptop-13-8", "#8fa6bd", False),
        ("dell-xps-13", "#3b3c40", True),
        ("dell-xps-13", "#d8d9db", False),
        ("dell-xps-13", "#1b1464", True),  # no finish
    ],
)
def test_keys_in_a_dark_colour_have_light_legends(identifier: str, color: str, dark: bool) -> None:
    device = in_finish(catalogue()[identifier], parse(color))
    (keys,) = (one.image for one in device.slab("deck").front.layers if "/keyboard-" in one.image)
    picture = TextureFiles(device).read(keys)
    legends = picture[picture[..., 3] > 240, :3].mean()
    assert legends > 150 if dark else legends < 90
    assert device is in_finish(catalogue()[identifier], parse(color))


@pytest.mark.parametrize("identifier", ["monitor", "dell-ultrasharp-27"])
def test_the_hole_through_a_post_is_deep(identifier: str) -> None:
    device = catalogue()[identifier]
    images = {decal.image for decal in device.slab("upright").decals}
    (hole,) = images
    picture = TextureFiles(device).read(hole)
    upper, lower = (
        picture[int(at * len(picture)), picture.shape[1] // 2].astype(float) for at in (0.15, 0.95)
    )
    assert upper[3] > 235
    assert upper[:3].max() < 10
    assert lower[:3].min() > 80, "its wall catches light"


@pytest.mark.parametrize("identifier", ["galaxy-z-fold-7", "galaxy-z-fold-7-half-open"])
def test_the_flash_of_the_large_galaxy_fold_is_beside_its_island(identifier: str) -> None:
    phone = catalogue()[identifier]
    assert any("/flash-" in image for image in back(phone))
    assert not phone.slab("camera").front.layers


@pytest.mark.parametrize(
    ("identifier", "style"),
    [("iphone-16-pro", "quarters"), ("pixel-9-pro", "halves"), ("galaxy-s25", "one"), ("phone", "one")],
)
def test_a_flash_that_is_off_has_yellow_emitters_below_dim_plastic(identifier: str, style: str) -> None:
    device = catalogue()[identifier]
    (name,) = (image for image in device.textures if "/flash-" in image)
    assert name.endswith(f"-{style}.png")
    flash = TextureFiles(device).read(name).astype(float)
    height, width = flash.shape[:2]
    y, x = np.indices((height, width)) + 0.5
    away = np.hypot(x / width - 0.5, y / height - 0.5) * 2
    plastic, middle = flash[(away > 0.7) & (away < 0.8)], flash[away < 0.5]
    # If the plastic were white, the flash would look lit in small pictures.
    assert 110 < plastic[:, :3].min(axis=1).mean() < 150
    assert np.ptp(plastic[:, :3].mean(axis=0)) < 25
    assert (middle[:, 0] - middle[:, 2]).mean() > 70
    # The light that the plastic mirrors is white, and only a small part of it.
    assert 0.005 < (flash[away < 0.9][:, :3].min(axis=1) > 245).mean() < 0.08


@pytest.mark.parametrize("identifier", ["iphone-16-pro", "pixel-9-pro", "galaxy-s25", "xiaomi-15"])
def test_every_lens_mirrors_a_softbox_and_another_colour(identifier: str) -> None:
    device = catalogue()[identifier]
    names = sorted({image for image in device.textures if "/lens-elements-" in image})
    assert len(names) == 3
    colors = []
    for name in names:
        picture = TextureFiles(device).read(name).astype(float)
        light = picture[..., :3].max(axis=-1)
        assert np.median(light) < 40
        assert light.max() > 150
        coated = picture[(light > 40) & (light < 120)][:, :3].sum(axis=0)
        colors.append(coated / coated.sum())
    apart = [np.abs(a - b).max() for place, a in enumerate(colors) for b in colors[:place]]
    assert min(apart) > 0.05


def test_makers_order_the_coatings_of_their_lenses_differently() -> None:
    phones = [catalogue()[identifier] for identifier in ("iphone-16-pro", "galaxy-s25", "xiaomi-15")]
    orders = {
        tuple(phone.slab(f"lens-{place}").front.layers[0].image for place in (1, 2, 3)) for phone in phones
    }
    assert len(orders) == len(phones)
