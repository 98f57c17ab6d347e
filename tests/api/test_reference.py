from __future__ import annotations

from pathlib import Path

from service.api.reference import markdown, rows
from service.settings.formats import WRITTEN

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_the_page_is_what_the_models_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown()


def test_every_setting_has_a_meaning() -> None:
    assert all(meaning for _, _, _, meaning in rows())


def test_rows() -> None:
    table = {path: (takes, default) for path, takes, default, _ in rows()}
    assert table["deviceTransform.rotationX"] == ("a number from -180 to 180", "0")
    assert table["postProcessing.grain.size"] == ("a number from 1 to 4", "1")
    assert table["export.format"] == (f"one of {', '.join(one.name for one in WRITTEN)}", "png")
