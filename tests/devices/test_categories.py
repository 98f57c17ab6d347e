"""The table of categories: complete, and its examples are devices of the categories."""

from __future__ import annotations

from typing import get_args

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
