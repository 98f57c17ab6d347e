"""The folder in which an agent's files are."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.commands.mcp.folder import WorkFolder
from service.errors import MockupError


@pytest.fixture
def folder(tmp_path: Path) -> WorkFolder:
    return WorkFolder(tmp_path.resolve())


def test_names_stay_in_the_folder(folder: WorkFolder) -> None:
    assert folder.inside("a/../b.png") == folder.inside(str(folder.root / "b.png")) == folder.root / "b.png"
    assert folder.shown(folder.inside("a/b.png")) == "a/b.png"
    (folder.root / "away").symlink_to("/")
    for name in ("../b.png", "/etc/passwd", "away/etc/passwd"):
        with pytest.raises(MockupError, match="outside of"):
            folder.inside(name)
    with pytest.raises(MockupError, match="is not a file's name"):
        folder.inside("a\0b")


def test_free_names_are_counted(folder: WorkFolder) -> None:
    assert folder.free("a", ".png") == "mockups/a.png"
    (folder.root / "mockups").mkdir()
    (folder.root / "mockups" / "a.png").touch()
    assert folder.free("a", ".png") == "mockups/a-2.png"
    assert folder.free("a", ".webp") == "mockups/a.webp"
    taken = [folder.root / "mockups" / f"a-{number}.png" for number in (2, 3)]
    assert folder.free("a", ".png", taken) == "mockups/a-4.png"
