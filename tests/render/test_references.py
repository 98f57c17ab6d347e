"""Pictures of some scenes equal their reviewed references."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.render import references
from tests.render.drawings import SHEETS
from tests.render.scenes import SCENES, draw


@pytest.mark.parametrize("name", SCENES)
def test_the_scene_equals_its_reference(name: str) -> None:
    references.compare(name, draw(name))


@pytest.mark.parametrize("name", SHEETS)
def test_the_drawing_looks_as_kept(name: str) -> None:
    references.compare(name, SHEETS[name](), most=2)


def test_the_references_are_small_and_all_used() -> None:
    kept = {file.stem: file.stat().st_size for file in references.HERE.glob("*.webp")}
    assert set(kept) == {*SCENES, *SHEETS}
    assert sum(kept.values()) < 1.5 * 2**20


def test_a_failure_writes_the_compared_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "FAILURES", tmp_path / "failures")
    want = references.read("back")
    got = want.copy()
    got[100:140, 100:140] ^= 64
    with pytest.raises(AssertionError, match="back is off by"):
        references.compare("back", got)
    laid = sorted(file.name for file in (tmp_path / "failures").iterdir())
    assert laid == ["back-difference.png", "back-got.png", "back-want.png"]
    with pytest.raises(AssertionError, match="instead of"):
        references.compare("back", np.ascontiguousarray(want[:-1]))
