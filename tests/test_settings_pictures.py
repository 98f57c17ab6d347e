"""Pictures show the effect of every visual setting, each at values that it accepts."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from service.settings.merge import MergedSettings
from tests.support.looped import looped

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "setup"))
pictures: Any = importlib.import_module("settings_pictures")


def test_every_visual_setting_is_in_the_table() -> None:
    assert sorted(pictures.visual()) == sorted([*pictures.SHOWN, *pictures.UNSEEN])
    # The pictures are in the order of the reference, where readers look for them.
    order = [path for path in pictures.visual() if path in pictures.SHOWN]
    assert list(pictures.SHOWN) == order


@looped("path", pictures.SHOWN)
def test_its_values_are_valid_and_usually_three(path: str) -> None:
    trial = pictures.SHOWN[path]
    few = {"appearance.theme", "captions[].overflow"}
    assert len(trial.values) == (2 if path in few or isinstance(trial.values[0], bool) else 3)
    told = set()
    for value in trial.values:
        merged = MergedSettings(pictures.settings(path, value))
        assert not merged.faults
        told.add(merged.resolve().model_dump_json())
    assert len(told) == len(trial.values), "each differs"


@pytest.mark.long(seconds=4)
def test_pictures_are_drawn_once(tmp_path: Path) -> None:
    for _ in range(2):
        pictures.draw(tmp_path, ["shadow.blur", "canvas.slices"])
    drawn = sorted(path.name for path in tmp_path.glob("*.webp"))
    assert len(drawn) == 3 + 1 + 2 + 3
    assert len((tmp_path / "pictures.jsonl.receipts.jsonl").read_text().splitlines()) == 6
    with (
        Image.open(tmp_path / "shadow.blur-0.webp") as first,
        Image.open(tmp_path / "shadow.blur-2.webp") as last,
    ):
        assert first.size == last.size == (480, 360)
        assert first.tobytes() != last.tobytes()
    page = pictures.page(pictures=True)
    assert all(f"pictures/settings/{name})" in page for name in drawn)
