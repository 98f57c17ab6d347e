"""The clients are separate packages, which are not installed in the service's environment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.web import served

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
sys.path.insert(0, str(CLIENTS / "python"))


@pytest.fixture
def site(tmp_path: Path, shot: bytes) -> Iterator[str]:
    """The address of a web site with a few screenshots."""
    for name in ("über.png", "a.png"):
        (tmp_path / name).write_bytes(shot)
    with served(tmp_path) as url:
        yield url


@pytest.fixture
def shot() -> bytes:
    """A small screenshot."""
    return (CLIENTS.parent / "frames" / "samples" / "screenshot.png").read_bytes()
