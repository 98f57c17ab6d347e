import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from service.codec.sandbox import messages as decoders
from service.films.messages import KINDS
from service.workers.fork_server import RENDERER
from tests.commands.script import Mockup
from tests.support import drawn
from tests.support.shared_forks import BorrowedForks, SharedForks, sharing


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


@pytest.fixture(scope="package")
def shared_forks() -> Iterator[SharedForks]:
    """The fork server of the commands that run in this process."""
    with sharing(decoders.KIND, RENDERER, *KINDS, drawn.KIND) as forks:
        yield forks


@pytest.fixture
def fork_server(shared_forks: SharedForks) -> Iterator[SharedForks]:
    """The shared fork server, checked for processes that are left."""
    yield shared_forks
    shared_forks.close()


@pytest.fixture(autouse=True)
def start_fork_server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let whatever would start a fork server borrow the shared one, and check that no process is left."""
    borrowed: list[BorrowedForks] = []

    def start(*kinds: str) -> BorrowedForks:
        borrowed.append(BorrowedForks(request.getfixturevalue("shared_forks"), *kinds))
        return borrowed[-1]

    monkeypatch.setattr("service.workers.fork_server.ForkServer", start)
    yield
    if borrowed:
        request.getfixturevalue("shared_forks").close()
        assert all(one.closed for one in borrowed), "a fork server was not closed"


@pytest.fixture
def mockup(capsys: pytest.CaptureFixture[str]) -> Mockup:
    return Mockup(capsys)
