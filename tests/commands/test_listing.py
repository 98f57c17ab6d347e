"""Tables and JSON that commands print."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from service.commands.listing import show

TITLES = ("NAME", "LAST USED", "PRO")
ROWS = [("ada\x1b[31m", datetime(2026, 3, 4, 5, 6, 7, 890_000, UTC), True), ("grace", None, False)]


def test_columns_are_aligned_and_control_codes_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show(TITLES, ROWS)
    assert capsys.readouterr().out.splitlines() == [
        "NAME      LAST USED             PRO",
        "ada?[31m  2026-03-04T05:06:07Z  yes",
        "grace     -                     no",
    ]


def test_json_has_the_titles_as_members(capsys: pytest.CaptureFixture[str]) -> None:
    show(TITLES, ROWS, json=True)
    assert json.loads(capsys.readouterr().out) == [
        {"name": "ada\x1b[31m", "lastUsed": "2026-03-04T05:06:07Z", "pro": True},
        {"name": "grace", "lastUsed": None, "pro": False},
    ]
