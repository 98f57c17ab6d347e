"""The page about devices agrees with the catalogue's sheets."""

from __future__ import annotations

import pytest

from benchmarks.catalogue import PAGE, drawn, groups, page, table
from frames.generator.sheet import known, read
from service.devices.families.sheet import FittedSheet
from tests.support.looped import looped


@pytest.fixture(scope="module")
def rows() -> list[str]:
    """The table's lines."""
    return table().splitlines()


def test_the_page_matches_the_sheets() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m benchmarks.catalogue"


@looped("identifier", known())
def test_the_table_has_the_device(identifier: str, rows: list[str]) -> None:
    sheet = read(identifier)
    row = next(line for line in rows if line.startswith(f"| `{identifier}` |"))
    assert f"| {sheet.name} |" in row
    px = f"{sheet.screen.px[0]} × {sheet.screen.px[1]}"
    screen = "the screenshot's" if isinstance(sheet, FittedSheet) else px
    assert f"| {screen} |" in row
    for finish in sheet.finishes:
        assert f"{finish.name} `{finish.hex}`" in row
    for estimate in sheet.approximate:
        assert estimate in row


def test_every_kind_has_a_contact_sheet_and_all_are_light() -> None:
    sheets = PAGE.parent / "pictures"
    named = {f"devices-{name}.webp" for name in groups(drawn())}
    assert {file.name for file in sheets.glob("devices-*.webp")} == named, "run make gallery"
    assert sum((sheets / name).stat().st_size for name in named) < 3_000_000
