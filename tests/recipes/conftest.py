"""Recipes call the command as users do, with `mockup` on the path."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from service.commands import demo
from tests.support import ready

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "recipes"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with screenshots."""
    for name in [name for name in os.environ if name.startswith("MOCKUP_")]:
        monkeypatch.delenv(name)
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}")
    for name, value in ready.program(programs).items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "project"
    (folder / "shots").mkdir(parents=True)
    for name in ("home", "home-dark", "about us"):
        shutil.copy(demo.SAMPLE, folder / "shots" / f"{name}.png")
    monkeypatch.chdir(folder)
    return folder
