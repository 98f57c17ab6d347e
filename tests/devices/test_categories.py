"""The table of categories: complete, and its examples are devices of the categories."""

from __future__ import annotations

from typing import get_args

import pytest

from service.devices.categories import CATEGORIES
from service.devices.described.description import KindName
from service.devices.device import Category, catalogue
from service.shipped import FRAMES
from service.sources.samples import CATEGORIES_OF_KINDS as KINDS


def test_every_category_has_a_row() -> None:
    assert tuple(CATEGORIES) == get_args(Category)


def test_every_kind_of_description_belongs_to_a_category() -> None:
    for kind in get_args(KindName):
        assert KINDS.get(kind, kind) in CATEGORIES


def test_examples_and_samples_exist() -> None:
    for name, facts in CATEGORIES.items():
        assert catalogue().entries[facts.example].category == name
        assert (FRAMES / "samples" / f"{facts.sample}.png").exists()


@pytest.mark.parametrize(
    ("device", "size"),
    [
        ("iphone-16-pro", (402, 874)),
        ("ipad-pro-11-m4", (834, 1210)),
        ("macbook-pro-14", (1512, 982)),
        ("monitor", (2560, 1440)),
        ("apple-watch-series-10-46", (208, 248)),
    ],
)
def test_pages_are_as_large_as_on_the_real_device(device: str, size: tuple[int, int]) -> None:
    entry = catalogue().entries[device]
    ratio = CATEGORIES[entry.category].pixel_ratio
    assert (entry.px[0] / ratio, entry.px[1] / ratio) == size


def test_only_small_screens_have_pages_of_few_pixels() -> None:
    ratios = {name: facts.pixel_ratio for name, facts in CATEGORIES.items()}
    assert ratios.pop("foldable") == ratios["phone"]
    assert {name for name, ratio in ratios.items() if ratio > 1} == {"phone", "tablet", "laptop", "watch"}
    assert min(ratios.values()) == 1
