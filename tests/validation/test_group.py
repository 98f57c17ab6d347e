"""Scalars of requests: numbers, whole numbers and the titles of members."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from service.validation.group import Factor, Flag, Number, Whole, title


@pytest.mark.parametrize("value", [0, -1.5, 2**63, -(2**63), 1e300])
def test_finite_numbers_are_taken(value: float) -> None:
    assert TypeAdapter(Number).validate_python(value) == value


@pytest.mark.parametrize("value", [True, "3", None, math.inf, -math.inf, math.nan, 2**63 + 1, -(2**63) - 1])
def test_other_values_are_no_numbers(value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Number).validate_python(value)


def test_whole_numbers_may_have_a_fraction_of_zero() -> None:
    found = TypeAdapter(Whole).validate_python(3.0)
    assert (found, type(found)) == (3, int)
    for value in (2.5, -0.5, True, "3"):
        with pytest.raises(ValidationError):
            TypeAdapter(Whole).validate_python(value)


def test_flags_are_true_or_false_alone() -> None:
    assert TypeAdapter(Flag).validate_python(True) is True
    for value in (1, "true"):
        with pytest.raises(ValidationError):
            TypeAdapter(Flag).validate_python(value)


def test_members_are_named_in_words() -> None:
    assert [title(name) for name in ("rotation_x", "url", "field_of_view", "src")] == [
        "Rotation X",
        "URL",
        "Field of view",
        "Src",
    ]


def test_the_schema_tells_the_unit() -> None:
    assert TypeAdapter(Factor).json_schema()["x-unit"] == "×"
    assert "x-unit" not in TypeAdapter(Number).json_schema()
