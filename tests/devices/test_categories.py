"""The table of categories: complete, and its examples are devices of the categories."""

from __future__ import annotations

from typing import get_args

from service.devices.categories import CATEGORIES
from service.devices.device import Category, catalogue
from service.shipped import FRAMES


def test_every_category_has_a_row() -> None:
    assert tuple(CATEGORIES) == get_args(Category)


def test_examples_and_samples_exist() -> None:
    for name, facts in CATEGORIES.items():
        assert catalogue().entries[facts.example].category == name
        assert (FRAMES / "samples" / f"{facts.sample}.png").exists()
