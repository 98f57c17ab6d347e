"""Textures from files and from memory."""

from __future__ import annotations

import numpy as np
import pytest

from service.models.devices import catalogue
from service.render.paint.textures import Files, Memory, grey, layer, squared

PHONE = catalogue()["iphone-16-pro"]


def test_files_are_read_as_they_were_drawn() -> None:
    files, mask = Files(PHONE), PHONE.screen.mask
    assert mask is not None
    assert files.read(mask).ndim == 2
    image = PHONE.slabs[0].front.layers[0].image
    assert files.read(image).shape[2] == 4
    assert layer(files, image) is layer(Files(PHONE), image)
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
    assert found[0, 0].tolist() == [188, 0, 93, 128]
    assert not found.flags.writeable


def test_the_square_of_alpha_tells_half_covered_from_half_transparent() -> None:
    store = Memory()
    pixels = np.full((64, 128, 4), 128, np.uint8)
    levels = squared(store, store.write("half transparent", pixels))
    assert [level.shape for level in levels] == [(64, 128), (32, 64)]
    assert (levels[1] == 64).all()
    pixels[:, ::2, 3], pixels[:, 1::2, 3] = 255, 0
    assert (squared(store, store.write("half covered", pixels))[1] == 128).all()
