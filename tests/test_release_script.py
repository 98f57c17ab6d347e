"""A release names its version everywhere and gives the changelog a section; nothing else changes."""

from __future__ import annotations

import datetime
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

# `import setup` would find the file that builds the package.
release: Any = runpy.run_path(str(Path(__file__).resolve().parent.parent / "setup" / "release.py"))
PLACES, ROOT, current, released = (release[name] for name in ("PLACES", "ROOT", "current", "released"))
DAY = datetime.date(2030, 1, 2)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in (*PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_release_names_its_version_everywhere(copy: Path) -> None:
    before = current(copy)
    texts = released("99.1.0", DAY, copy)
    assert {str(path.relative_to(copy)) for path in texts} == {*PLACES, "CHANGELOG.md"}
    for path, text in texts.items():
        path.write_text(text)
    assert current(copy) == "99.1.0"
    assert "Development Status :: 5 - Production/Stable" in (copy / "pyproject.toml").read_text()
    log = (copy / "CHANGELOG.md").read_text()
    assert "## [Unreleased]\n\n## [99.1.0] - 2030-01-02\n" in log
    assert "This will be" not in log.partition("## [99.1.0]")[2].partition("\n## [")[0]
    for version, reason in ((before, "older"), ("99.1.0", "already"), ("1.0", "expected a version")):
        with pytest.raises(ValueError, match=reason):
            released(version, DAY, copy)
