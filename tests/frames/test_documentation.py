"""The devices' page names every device with its screen and finishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from frames.generator.sheet import known, read

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"


@pytest.mark.parametrize("identifier", known())
def test_the_table_has_the_device(identifier: str) -> None:
    sheet = read(identifier)
    row = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{identifier}` |"))
    assert f"| {sheet.name} |" in row
    assert f"| {sheet.screen.px[0]} × {sheet.screen.px[1]} |" in row
    for finish in sheet.finishes:
        assert finish.name.split()[0] in row
