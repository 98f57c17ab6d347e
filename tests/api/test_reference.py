from __future__ import annotations

import numpy as np

from service.api import for_agents
from service.api.answers import Geometry, ScreenPlace, Shape
from service.api.reference import DOCS, TABLES, pages, rows
from service.engine import geometry
from service.settings.formats import WRITTEN
from service.settings.resolve import resolve
from service.settings.schema import Settings


def test_the_pages_match_the_declarations() -> None:
    for path, text in pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python -m service.api.reference"


def test_the_index_for_agents_has_whole_entries() -> None:
    readme = " ".join((for_agents.ROOT / "README.md").read_text("utf-8").split())
    _, *listed = [line for line in for_agents.index().splitlines() if line.startswith("- ")]
    assert len(listed) > 20
    for entry in listed:
        assert f"{entry} - " in readme or f"{entry} ## " in readme, entry


def test_every_table_has_its_place() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    assert [name for name in TABLES if f"<!-- generated: {name} -->" not in text] == []


def test_the_page_explains_every_member_of_the_geometry() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    section = page.partition("\n## Geometry\n")[2].partition("\n`POST /api/v1/geometry` ")[0]
    members = [field.alias or name for name, field in Geometry.model_fields.items() if name != "screens"]
    members += [f"screens[].{name}" for name in ScreenPlace.model_fields]
    assert [member for member in members if f"`{member}`" not in section] == []


def test_the_example_of_a_shape_is_that_of_the_default_device() -> None:
    (found,) = geometry.shape(resolve(Settings.defaults(), (1206, 2622), fast=False).spec)
    for name in ("body", "faces", "portrait", "turned"):
        assert np.array_equal(Shape.model_fields[name].examples or [], [getattr(found, name)]), name


def test_every_setting_has_a_meaning() -> None:
    assert all(meaning for _, _, _, meaning in rows())


def test_rows() -> None:
    table = {path: (takes, default) for path, takes, default, _ in rows()}
    assert table["deviceTransform.rotationX"] == ("a number from -180 to 180", "0")
    assert table["postProcessing.grain.size"] == ("a number from 1 to 4", "1")
    assert table["export.format"] == (f"one of {', '.join(one.name for one in WRITTEN)}", "png")
