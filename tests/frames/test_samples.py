"""The sample screens fit their devices, and each has an editable source."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PIL import Image

from service.shipped import FRAMES

SAMPLES = FRAMES / "samples"
SIZES = {
    "screenshot": (1206, 2622),
    "tablet": (2420, 1668),
    "desktop": (3024, 1964),
    "browser": (2560, 1600),
}


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_samples_have_the_size_of_their_screens_and_are_small(name: str, size: tuple[int, int]) -> None:
    file = SAMPLES / f"{name}.png"
    with Image.open(file) as picture:
        assert (picture.size, picture.mode) == (size, "RGB")
    assert file.stat().st_size < 250_000


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_sources_have_their_samples_size_and_stand_alone(name: str, size: tuple[int, int]) -> None:
    text = (SAMPLES / f"{name}.svg").read_text()
    drawing = ElementTree.fromstring(text)
    assert (int(drawing.attrib["width"]), int(drawing.attrib["height"])) == size
    assert len(drawing) > 20
    assert "href" not in text


def test_every_sample_is_known() -> None:
    assert {file.name for file in SAMPLES.iterdir()} == {f"{n}.{e}" for n in SIZES for e in ("png", "svg")}
