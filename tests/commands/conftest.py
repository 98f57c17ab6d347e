import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.commands.script import Mockup


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and an environment without any of the service's variables."""
    for name in list(os.environ):
        if name.startswith("MOCKUP_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def logging() -> Iterator[None]:
    """Restore the logging configuration after commands that run in this process."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def mockup(capsys: pytest.CaptureFixture[str]) -> Mockup:
    return Mockup(capsys)
