"""Clay and line drawings: one colour, an unchanged screen, lines of one width, and hidden lines removed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.render.geometry.raster import Box
from service.render.geometry.stroke import stroke
from service.render.paint.engraved import engraved, inked
from service.render.paint.motifs import motif
from service.render.paint.textures import TextureFiles
from service.render.plates import plate
from service.settings.merge import MergedSettings
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec
from service.settings.styles import CLAY, INK, PALE_INK
from tests.support.devices import few

DEVICES = (
    "iphone-16-pro", "pixel-9-pro", "ipad-pro-11-m4", "macbook-pro-14", "browser-chrome",
    "apple-watch-ultra-3",
)  # fmt: skip
CUSTOM = {"kind": "phone", "screen": {"width": 1000, "height": 2000}}
TINY_WATCH = {"kind": "watch", "screen": {"width": 64, "height": 128}, "bezel": 2.0, "ppi": 101.6}
SIZE = 480


def spec(device: Any, style: str, **given: Any) -> PlateSpec:
    appearance = {"backgroundColor": "transparent", "style": style, **given.pop("appearance", {})}
    members = {
        "device": device,
        "canvas": {"width": SIZE, "height": SIZE},
        "appearance": appearance,
        "shadow": {"enabled": False},
        **given,
    }
    return resolve(MergedSettings(members).resolve(), (900, 1200), fast=False).spec


def built(of: PlateSpec) -> plate.Plate:
    return plate.build(of, Clock())


@pytest.mark.parametrize("device", [*few(DEVICES), CUSTOM])
@pytest.mark.parametrize("style", ["clay", "outline"])
@pytest.mark.parametrize("pose", ["front", "hero-left"])
def test_styles_do_not_change_the_screen(device: Any, style: str, pose: str) -> None:
    screen = built(spec(device, style, deviceTransform={"pose": pose})).screens[0]
    assert screen is not None
    lit = screen.gain == 65535
    assert lit.mean() > 0.5
    # Nothing but dither of half a code value remains.
    assert screen.base[lit].max() <= 20


@pytest.mark.parametrize("device", [*few(DEVICES), CUSTOM, TINY_WATCH])
@pytest.mark.parametrize("pose", ["front", "back-left"])
@pytest.mark.long
def test_clay_has_the_outline_of_the_real_style(device: Any, pose: str) -> None:
    clay, real = (
        built(spec(device, style, deviceTransform={"pose": pose})).base[..., 3] for style in ("clay", "real")
    )
    np.testing.assert_array_equal(clay, real)


@pytest.mark.parametrize("device", few(DEVICES))
@pytest.mark.parametrize("pose", ["front", "back-left"])
def test_clay_is_of_one_hue(device: str, pose: str) -> None:
    made = built(spec(device, "clay", deviceTransform={"pose": pose}, appearance={"deviceColor": "#3366FF"}))
    opaque = made.base[..., 3] == 255
    for layer in made.screens:
        if layer:
            opaque[layer.box.slices] &= layer.gain == 0
    red, green, blue = (made.base[opaque][:, channel].astype(int) for channel in range(3))
    assert opaque.any()
    # Where the picture is almost black, dither may change the order by a level.
    assert (blue >= green - 1).all()
    assert (green >= red - 1).all()
    assert np.ptp(blue) > 5  # the body is shaded, but only slightly where it is broad and bright


def test_clay_is_nearly_white_until_it_is_given_a_colour() -> None:
    assert spec("iphone-16-pro", "clay").instances[0].tint == CLAY
    assert spec("iphone-16-pro", "clay", appearance={"deviceColor": "Desert Titanium"}).instances[0].tint == (
        200,
        157,
        113,
        255,
    )
    assert spec("browser-chrome", "clay", appearance={"deviceColor": "#102030"}).instances[0].tint == (
        16,
        32,
        48,
        255,
    )


@pytest.mark.parametrize("device", [*few(DEVICES), CUSTOM])
@pytest.mark.parametrize("pose", ["front", "hero-left", "back-left"])
def test_a_drawing_has_only_ink_and_background(device: Any, pose: str) -> None:
    made = built(
        spec(device, "outline", deviceTransform={"pose": pose}, appearance={"deviceColor": "#CC2200"})
    )
    alpha, bare = made.base[..., 3], np.ones((SIZE, SIZE), bool)
    for layer in made.screens:
        if layer:
            bare[layer.box.slices] &= layer.gain == 0
    inked = (alpha == 255) & bare
    assert (made.base[inked][:, :3] == (0xCC, 0x22, 0)).all()
    assert inked.any()
    assert 0.004 < (alpha * bare).mean() / 255 < 0.2
    assert (alpha[bare] == 0).mean() > 0.7


@pytest.mark.parametrize("turn", [0, 35])
@pytest.mark.parametrize("size", [(900, 600), (1920, 1080)])
def test_lines_have_one_width(turn: float, size: tuple[int, int]) -> None:
    canvas = {"width": size[0], "height": size[1]}
    made = built(spec("ipad-pro-11-m4", "outline", canvas=canvas, deviceTransform={"rotationY": turn}))
    row = made.base[size[1] // 2, :, 3].astype(float) / 255
    left = int(np.flatnonzero(row)[0])
    width = {600: 1.2, 1080: 1.944}[size[1]]  # 1.8 thousandths of the short side, but at least 1.2 px
    # An upright edge is as wide as its line, whatever the rotation about the vertical.
    assert row[left : left + int(width) + 3].sum() == pytest.approx(width, abs=0.12)


def test_lines_behind_slabs_are_hidden() -> None:
    front, back = (
        built(spec("iphone-16-pro", "outline", deviceTransform={"rotationY": turn})) for turn in (0, 180)
    )
    assert front.screens[0] is not None
    assert back.screens == (None,)
    middle = slice(SIZE * 6 // 10, SIZE * 8 // 10), slice(SIZE * 45 // 100, SIZE * 55 // 100)
    assert not back.base[middle][..., 3].any()  # no line of the screen shows through


def test_inside_a_drawing_there_is_no_shadow() -> None:
    appearance = {"backgroundColor": "#FFFFFF"}
    of = spec("macbook-pro-14", "outline", appearance=appearance, shadow={"offsetY": -0.1, "opacity": 1})
    made = built(of)
    lid = slice(SIZE * 42 // 100, SIZE * 44 // 100), slice(0, SIZE)
    assert made.base.shape[2] == 3
    assert made.base[-SIZE // 4 :].min() < 200
    assert (made.base[lid] == 255).mean() > 0.5


@pytest.mark.parametrize(
    ("appearance", "ink"),
    [
        ({}, INK),
        ({"backgroundColor": "#101418"}, PALE_INK),
        ({"backgroundColor": "#101418", "gradientEnabled": True, "gradientColor": "#ffffff"}, INK),
        ({"backgroundColor": "#101418", "deviceColor": "#FF0000"}, (255, 0, 0, 255)),
    ],
)
def test_ink_is_visible_on_its_background(appearance: dict[str, Any], ink: tuple[int, ...]) -> None:
    assert spec("iphone-16-pro", "outline", appearance=appearance).instances[0].tint == ink


@pytest.mark.parametrize("background", ["#FFFFFF", "transparent"])
@pytest.mark.parametrize("device", ["iphone-16-pro", "apple-watch-ultra-3"])
def test_white_ink_and_a_white_screen_on_white_or_nothing_are_white(device: str, background: str) -> None:
    appearance = {"backgroundColor": background, "deviceColor": "#FFFFFF"}
    made = built(spec(device, "outline", appearance=appearance, deviceTransform={"pose": "hero-left"}))
    screen = made.screens[0]
    assert screen is not None
    shown = screen.base.astype(int) + screen.gain[..., None]
    drawn = shown[screen.gain > 0]
    assert ((screen.gain > 0) & (screen.gain < 65535)).any()
    assert drawn == pytest.approx(np.full(drawn.shape, 65535), abs=3)


def test_previews_have_the_style() -> None:
    members = {"appearance": {"style": "outline"}, "canvas": {"width": 300, "height": 300}}
    quick = resolve(MergedSettings(members).resolve(), (900, 1200), fast=True).spec
    assert built(quick).base.shape == (300, 300, 3)


def test_a_stroke_covers_by_the_distance_from_its_line() -> None:
    line = np.array([[8.3, 12.1], [90.7, 5.2], [30.4, 31.9]])
    pixels = np.stack(np.meshgrid(np.arange(100) + 0.5, np.arange(40) + 0.5), axis=-1)
    for width in (0.6, 2.5):
        away = np.full((40, 100), np.inf)
        for start, end in zip(line, np.roll(line, -1, axis=0), strict=True):
            along = np.clip((pixels - start) @ (end - start) / ((end - start) @ (end - start)), 0, 1)
            away = np.minimum(
                away, np.linalg.norm(pixels - start - along[..., None] * (end - start), axis=-1)
            )
        found = stroke([line], width, Box(0, 0, 100, 40))
        assert found == pytest.approx(np.clip(width / 2 + 0.5 - away, 0, 1), abs=1e-5)


def test_a_stroke_covers_its_length_times_its_width() -> None:
    square = np.array([[20, 20], [80, 20], [80, 80], [20, 80]], np.float32)
    cover = stroke([square], 3.0, Box(0, 0, 100, 100))
    assert cover.sum() == pytest.approx(4 * 60 * 3, rel=0.01)
    assert cover[50, 18:23].tolist() == pytest.approx([0, 1, 1, 0, 0], abs=0.51)
    slanted = np.array([[20.3, 20.1], [81.7, 43.9], [77.1, 83.3]], np.float32)
    length = np.hypot(*(slanted - np.roll(slanted, 1, axis=0)).T).sum()
    whole = stroke([slanted], 2.0, Box(0, 0, 100, 100))
    assert whole.sum() == pytest.approx(2 * length, rel=0.02)
    # A part drawn alone equals that part of the whole.
    np.testing.assert_array_equal(stroke([slanted], 2.0, Box(30, 25, 40, 30)), whole[25:55, 30:70])
    assert not stroke([slanted], 2.0, Box(90, 0, 10, 10)).any()


def test_motifs_equal_the_drawn_pictures() -> None:
    from service.devices.device import catalogue

    laptop = catalogue()["macbook-pro-14"]
    deck = laptop.slab("deck").front
    found = {layer.image: motif(TextureFiles(laptop), layer.image, layer.size) for layer in deck.layers}
    keyboard = next(lines for image, lines in found.items() if "keyboard" in image)
    assert len(keyboard) == 78
    assert all(8 < np.ptp(key, axis=0).max() < 110 for key in keyboard)
    (pad,) = next(lines for image, lines in found.items() if "trackpad" in image)
    assert np.ptp(pad, axis=0) == pytest.approx((130, 79), abs=0.1)
    assert len(motif(TextureFiles(laptop), "parts/holes-1.5x1.5x5-2.5.png", (12.1, 2.1))) == 5
    assert len(motif(TextureFiles(laptop), "parts/connector.png", (3.2, 13.0))) == 3
    assert np.ptp(
        motif(TextureFiles(laptop), "parts/pin-2.4x2.4.png", (3.2, 3.2))[0], axis=0
    ) == pytest.approx(2.4)
    assert motif(TextureFiles(laptop), "parts/band-0.9x8.25.png", (0.9, 8.25)) == []
    assert motif(TextureFiles(laptop), "bars.png", (9.0, 9.0)) == []


@dataclass(frozen=True)
class Keyboard:
    """A keyboard of 150 x 50 mm whose picture has keys, by their box in half mm and their level and alpha."""

    keys: tuple[tuple[Box, int, int], ...]
    alpha: int = 255

    def identity(self, name: str) -> Hashable:
        return self

    def read(self, name: str) -> U8:
        picture = np.full((100, 300, 4), (30, 30, 30, self.alpha), np.uint8)
        for box, level, alpha in self.keys:
            picture[box.slices] = (level, level, level, alpha)
        return picture


def keys(*drawn: tuple[Box, int, int], alpha: int = 255) -> list[Any]:
    """The left, top, width and height in mm of the keys that are found."""
    found = motif(Keyboard(drawn, alpha), "parts/keyboard.png", (150.0, 50.0))
    low, high = ([way(line, axis=0) for line in found] for way in (np.min, np.max))
    return [
        pytest.approx([x + 75, 25 - top, right - x, top - y], abs=1e-6)
        for (x, y), (right, top) in zip(low, high, strict=True)
    ]


def test_keys_are_even_areas_of_some_size() -> None:
    key, other = Box(20, 10, 20, 30), Box(100, 50, 24, 16)
    assert keys((key, 60, 255), (other, 10, 255)) == [[10, 5, 10, 15], [50, 25, 12, 8]]
    # A key differs from what is around it by 6 code values, and a smaller difference is no edge.
    assert len(keys((key, 36, 255))) == 1
    assert keys((key, 35, 255)) == []
    # A key has at least 12 mm² within its edges, and at most half the height of the keyboard.
    assert len(keys((Box(20, 10, 8, 10), 60, 255))) == 1
    assert keys((Box(20, 10, 8, 9), 60, 255)) == []
    assert len(keys((Box(20, 10, 20, 51), 60, 255))) == 1
    assert keys((Box(20, 10, 20, 52), 60, 255)) == []

    # A key fills most of its box.
    def bent(width: int) -> list[Any]:
        return keys((Box(20, 10, 22, 22), 60, 255), (Box(42 - width, 32 - width, width, width), 30, 255))

    assert len(bent(10)) == 1
    assert bent(11) == []
    # Paint that is almost transparent does not count as paint.
    assert len(keys((key, 30, 9), alpha=0)) == 1
    assert keys((key, 30, 8), alpha=0) == []


def painted(left: tuple[int, ...], right: tuple[int, ...]) -> Any:
    """A picture (36, 60, 4) of two areas that meet at column 30."""
    picture = np.zeros((36, 60, 4), np.uint8)
    picture[:, :30], picture[:, 30:] = left, right
    return picture


def test_the_shade_of_a_relief_is_that_of_its_edges_and_hollows() -> None:
    def shades(left: tuple[int, ...], right: tuple[int, ...]) -> list[int]:
        found = engraved(painted(left, right))
        assert (found[..., 3] == found[0, :, 3]).all()
        return [int(found[0, column, 3]) for column in (10, 29, 30, 50)]

    def shade(groove: float, dark: float) -> int:
        return int((0.42 * groove + 0.16 * dark) * 255 + 0.5)

    white, black, grey, pale = (255,) * 4, (0, 0, 0, 255), (203, 203, 203, 255), (227, 227, 227, 255)
    assert shades(white, white) == [0] * 4
    assert shades(black, black) == [shade(0, 1)] * 4
    assert shades(black, white) == [shade(0, 1), shade(1, 1), shade(1, 0), 0]
    # A step of 48 code values is a full groove.
    dark, bright = (255 - 203) / 255, (255 - 227) / 255
    assert shades(grey, pale) == [shade(0, dark), shade(0.5, dark), shade(0.5, bright), shade(0, bright)]
    # Where less than half of the paint is opaque, the relief fades; the edge of paint is a groove, too.
    assert shades((0, 0, 0, 255), (0, 0, 0, 0)) == [shade(0, 1), shade(1, 1), 0, 0]
    faint = int((0.42 * 51 / 255 + 0.16 * 51 / 255) * 102 + 0.5)
    assert shades((0, 0, 0, 51), (0, 0, 0, 0))[1:] == [faint, 0, 0]
    assert shades((0, 0, 0, 191), (0, 0, 0, 191)) == [int(0.16 * 191 / 255 * 255 + 0.5)] * 4
    # Pictures of shade are reliefs already.
    flat = np.full((4, 4), 77, np.uint8)
    assert engraved(flat) is flat


def test_ink_is_distinct_paint_and_the_outline_of_all_other() -> None:
    def ink(color: tuple[int, ...], size: int) -> tuple[int, int]:
        """In the middle of a square, and at its edge."""
        picture = np.full((60, 80, 4), 200, np.uint8)
        picture[..., 3] = 255
        first, last = 30 - size // 2, 30 + (size + 1) // 2
        picture[first:last, first:last, :3] = color
        found = inked(picture)
        assert not found[..., :3].any()
        assert not found[5, 5].any()
        return int(found[30, 30, 3]), int(found[first, 30, 3])

    # Ink begins at a contrast of 40 code values, and is full from 70.
    for contrast, share in ((200, 1.0), (71, 1.0), (70, 1.0), (55, 0.5), (43, 0.1)):
        level = 200 - contrast
        assert ink((level,) * 3, 9)[0] == int(share * 255 + 0.5)
    assert ink((160,) * 3, 9) == (0, 255)
    # Areas that are colourful, or too large to be letters, get only an outline.
    assert ink((64, 0, 0), 9) == (0, 255)
    assert ink((63, 0, 0), 9)[0] == 255
    assert ink((0,) * 3, 14)[0] == 255
    assert ink((0,) * 3, 15) == (0, 255)
    # A step of 16 code values is a full line.
    assert ink((192,) * 3, 9) == (0, 128)
    assert ink((184,) * 3, 9) == (0, 255)


@pytest.mark.parametrize("draw", [engraved, inked])
def test_relief_and_ink_are_alike_in_every_direction(draw: Callable[[Any], Any]) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (24, 24, 4), np.uint8)
    if draw is inked:
        # This picture is opaque, and its edges are too faint for full lines.
        picture = picture // 16 + 190
        picture[..., 3] = 255
    found = draw(picture)
    for turned in (slice(None), slice(None, None, -1)), (slice(None, None, -1), slice(None)):
        np.testing.assert_array_equal(draw(picture[turned].copy()), found[turned])
    np.testing.assert_array_equal(draw(picture.transpose(1, 0, 2).copy()), found.transpose(1, 0, 2))


def test_relief_and_ink_stay_within_the_painted_area() -> None:
    picture = np.zeros((40, 60, 4), np.uint8)
    picture[10:30, 10:50] = (200, 200, 200, 255)
    picture[18:22, 20:40, :3] = 20
    shade = engraved(picture)
    assert not shade[..., :3].any()
    assert not shade[picture[..., 3] == 0].any()
    assert shade[18, 30, 3] > shade[20, 30, 3] > shade[14, 30, 3]
    opaque = picture.copy()
    opaque[..., :3][picture[..., 3] == 0] = 200
    opaque[..., 3] = 255
    ink = inked(opaque)
    assert ink[20, 30, 3] == 255
    assert ink[5, 5, 3] == 0
