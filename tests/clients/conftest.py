"""The clients are packages of their own, which the service's environment does not install."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
sys.path.insert(0, str(CLIENTS / "python"))


@pytest.fixture
def shot() -> bytes:
    """A small screenshot."""
    return (CLIENTS.parent / "frames" / "samples" / "screenshot.png").read_bytes()
