from __future__ import annotations

import pytest

from tests.sources.wire import Wire


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Every test of this folder runs with the recorder in place."""
    recorder = Wire()
    recorder.install(monkeypatch)
    return recorder
