"""Textures from files and from memory."""

from __future__ import annotations

import numpy as np
import pytest

from service.devices.device import catalogue
from service.render.paint.textures import (
    Memory,
    TextureFiles,
    coded,
    grey,
    layer,
    scaled,
    squared,
    translucent,
    unpacked,
)

PHONE = catalogue()["iphone-16-pro"]


def test_files_are_read_as_they_were_drawn() -> None:
    files, mask = TextureFiles(PHONE), PHONE.screen.mask
    assert mask is not None
    assert files.read(mask).ndim == 2
    image = PHONE.slabs[0].front.layers[0].image
    assert files.read(image).shape[2] == 4
    assert layer(files, image) is layer(TextureFiles(PHONE), image)
    with pytest.raises(FileNotFoundError, match="no-such"):
        files.read("no-such.png")


def test_textures_in_memory_are_named_after_their_content() -> None:
    one, other = Memory(), Memory()
    pixels = np.full((40, 30, 4), 200, np.uint8)
    name = one.write("bars", pixels)
    assert name == other.write("bars", pixels.copy())
    assert name != other.write("bars", pixels[::2])
    assert np.array_equal(one.read(name), pixels)


def test_smaller_sizes_are_averages_and_colours_are_premultiplied_in_linear_light() -> None:
    store = Memory()
    pixels = np.zeros((64, 128), np.uint8)
    pixels[:, ::2] = 200
    levels = grey(store, store.write("grey", pixels))
    assert [level.shape for level in levels] == [(64, 128), (32, 64)]
    assert (levels[1] == 100).all()
    clear = np.full((8, 8, 4), (255, 0, 128, 128), np.uint8)
    (found,) = layer(store, store.write("clear", clear))
    assert found[0, 0].tolist() == [32896, 0, 7101, 32896]
    assert not found.flags.writeable


def test_premultiplied_code_values_convert_back_to_their_light() -> None:
    store = Memory()
    clear = np.full((8, 8, 4), (255, 0, 128, 128), np.uint8)
    (found,) = coded(store, store.write("clear", clear))
    assert found[0, 0].tolist() == [128, 0, 64, 128]
    (light,) = layer(store, store.write("clear", clear))
    assert unpacked(found) == pytest.approx(unpacked(light), abs=2e-3)


def test_thin_bright_lines_on_black_keep_their_light_when_they_shrink() -> None:
    store = Memory()
    pixels = np.full((64, 128, 4), (0, 0, 0, 255), np.uint8)
    pixels[::4] = 255
    levels = layer(store, store.write("lines", pixels))
    assert levels[1].mean(axis=(0, 1)) == pytest.approx([65535 / 4] * 3 + [65535], abs=1)
    assert coded(store, store.write("lines", pixels))[1].mean(axis=(0, 1)).tolist() == [64, 64, 64, 255]
    assert unpacked(levels[1], np.full(3, 2.0, np.float32)).mean() == pytest.approx(0.5, abs=1e-4)


def test_transparent_pixels_have_no_light() -> None:
    store = Memory()
    (found,) = layer(store, store.write("nothing", np.full((8, 8, 4), (255, 255, 255, 0), np.uint8)))
    assert not found.any()


def test_neither_bare_nor_opaque_pixels_are_translucent() -> None:
    store = Memory()
    pixels = np.full((64, 128, 4), 128, np.uint8)
    pixels[:, :40, 3], pixels[:, 40:80, 3] = 0, 255
    full, half = translucent(store, store.write("in part", pixels))
    assert not full[:, :80].any()
    assert full[:, 80:].min() == full[:, 80:].max() == 64
    assert half.shape == (32, 64)


def test_light_is_scaled_by_channel() -> None:
    light = np.random.default_rng(4).random((5, 7, 3), np.float32)
    gain = np.array([0.0, 0.5, 3.0], np.float32)
    np.testing.assert_array_equal(scaled(light, gain), light * gain)


def test_the_square_of_alpha_tells_half_covered_from_half_transparent() -> None:
    store = Memory()
    pixels = np.full((64, 128, 4), 128, np.uint8)
    levels = squared(store, store.write("half transparent", pixels))
    assert [level.shape for level in levels] == [(64, 128), (32, 64)]
    assert levels[1].mean() / 65535 == pytest.approx((128 / 255) ** 2, abs=1e-4)
    pixels[:, ::2, 3], pixels[:, 1::2, 3] = 255, 0
    assert (squared(store, store.write("half covered", pixels))[1] == 32768).all()
