"""Names and their ways of being written, and the tables that lead to members by other names."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from service.api.schema import MockupRequest, ProjectBody
from service.models import messages, names
from service.models.devices import by_name, catalogue, finishes
from service.models.settings import PRESETS, Settings

KNOWN = names.index(["iphone-16-pro", "pixel-9-pro", "macbook-pro-14", "og"])


def models(root: type[BaseModel]) -> list[type[BaseModel]]:
    groups = [messages.group_of(field) for field in messages.members(root).values()]
    return [root, *(model for group in groups if group for model in models(group))]


@pytest.mark.parametrize(
    "text", ["iphone-16-pro", "iPhone 16 Pro", "IPHONE_16_PRO", "iphone16pro", " iPhone\u00a016\u2011Pro\n"]
)
def test_case_spaces_hyphens_and_underscores_do_not_matter(text: str) -> None:
    assert names.match(text, KNOWN) == "iphone-16-pro"


@pytest.mark.parametrize("text", ["", "-", "iphone-16", "iphone.16.pro", "iphone-16-pro" + " " * 60])
def test_everything_else_does(text: str) -> None:
    assert names.match(text, KNOWN) is None


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("iphon-16-pro", "iphone-16-pro"),
        ("iPhone 61 Pro", "iphone-16-pro"),
        ("pixel", "pixel-9-pro"),
        ("MacBook", "macbook-pro-14"),
        ("galaxy-s25", None),
        ("p", None),
        ("", None),
        ("x" * 10_000_000, None),
    ],
)
def test_near_is_a_slip_or_a_beginning(text: str, near: str | None) -> None:
    assert names.nearest(text, KNOWN) == near


def test_no_two_names_are_written_alike() -> None:
    assert len(names.index(PRESETS)) == len(PRESETS)
    assert len({names.plain(id_) for id_ in catalogue()}) == len(catalogue())
    assert set(finishes().values()) == {f.name for d in catalogue().values() for f in d.finishes}
    for model in models(Settings):
        for field in messages.members(model).values():
            choices = messages.choices(field)
            assert len(names.index(choices)) == len(choices)


def test_every_device_goes_by_its_id_and_its_full_name() -> None:
    known = by_name()
    for device in catalogue().values():
        assert names.match(device.id, known) == device.id
        assert names.match(device.name, known) == device.id


@pytest.mark.parametrize("root", [Settings, MockupRequest, ProjectBody])
def test_the_tables_lead_to_what_exists(root: type[BaseModel]) -> None:
    known = set(messages.paths(root))
    for model in models(root):
        for name, meant in getattr(model, "other_names", {}).items():
            assert names.plain(name) == name
            assert name not in names.index(messages.members(model))
            assert isinstance(meant, str) or set(meant) <= known, f"{model.__name__}: {name}"
