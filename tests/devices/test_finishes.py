"""Differences between finishes besides the colour."""

from __future__ import annotations

import pytest

from service.devices.device import catalogue
from service.devices.finishes import DARK, in_finish
from service.validation.color import Color, parse


@pytest.mark.parametrize("name", ["surface-laptop-13-8", "dell-xps-13"])
def test_keyboards_are_drawn_for_dark_finishes_or_for_light_ones(name: str) -> None:
    device = catalogue()[name]
    of_both = {layer.dark: layer.image for slab in device.slabs for layer in slab.front.layers if layer.dark}
    assert of_both
    chosen = set()
    for finish in device.finishes:
        tint = parse(finish.hex)
        made = in_finish(device, tint)
        images = {layer.image for slab in made.slabs for layer in slab.front.layers}
        dark = sum(tint[:3]) < 3 * DARK
        chosen.add(dark)
        for one, other in of_both.items():
            assert (one if dark else other) in images, finish.name
            assert (other if dark else one) not in images, finish.name
    assert chosen == {False, True}


@pytest.mark.parametrize("code", [(117, 118, 118), (118, 118, 118)])
def test_the_mean_of_the_channels_tells_dark_from_light(code: tuple[int, int, int]) -> None:
    made = in_finish(catalogue()["dell-xps-13"], Color(*code, 255))
    images = [str(layer.image) for slab in made.slabs for layer in slab.front.layers]
    assert any(image.endswith("-dark.png") for image in images) == (sum(code) < 3 * 118)
