"""Faults name the path of the wrong value."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field, ValidationError

from service.settings.document import SavedSet
from service.settings.motion import Motion
from service.validation import messages


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"fps": 7}, "motion.fps"),
        # If members contradict each other, the path names the one to change.
        ({"duration": 0.5, "keyframes": [{"at": 0}, {"at": 4}]}, "motion.keyframes[1].at"),
    ],
)
def test_paths_begin_with_the_prefix(given: dict[str, object], path: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Motion.model_validate(given)
    assert [one.path for one in messages.details(caught.value, Motion, "motion.")] == [path]


class _Lists(BaseModel):
    any_number: tuple[float, ...] = Field((), max_length=8)
    one_or_more: tuple[float, ...] = Field((1,), min_length=1, max_length=8)


def test_lists_name_the_fewest_items_too() -> None:
    fields = _Lists.model_fields
    assert messages.expected(fields["any_number"]) == "a list of up to 8 numbers"
    assert messages.expected(fields["one_or_more"]) == "a list of 1 to 8 numbers"


def test_items_of_lists_are_described_as_other_fields() -> None:
    with pytest.raises(ValidationError) as caught:
        SavedSet.model_validate({"locales": ["de", "de_AT"]})
    assert [(one.path, one.message) for one in messages.details(caught.value, SavedSet)] == [
        ("locales[1]", 'expected a language such as de or zh-Hant, got "de_AT"')
    ]


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("text", ["text"]),
        ("captions[0].text", ["captions", 0, "text"]),
        ("motion.keyframes[12].at", ["motion", "keyframes", 12, "at"]),
        ("a[1][2]", ["a", 1, 2]),
        # Brackets without a number are part of a name, and so is what follows a number.
        ("a[one].b", ["a[one]", "b"]),
        ("a[1]b.c", ["a[1]b", "c"]),
        ("a[1234]", ["a[1234]"]),
    ],
)
def test_written_paths_are_parted_and_joined(written: str, parts: list[int | str]) -> None:
    assert messages.parted(written) == parts
    assert messages.joined(parts) == written


def test_brackets_without_a_number_stand_for_any_item() -> None:
    assert messages.parted("stops[].color") == ["stops", 0, "color"]
