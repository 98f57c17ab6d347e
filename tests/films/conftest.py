from collections.abc import Iterator

import pytest

from service.codec.sandbox.messages import KIND as SCREENSHOTS
from service.films.messages import KINDS
from tests.support import drawn
from tests.support.shared_forks import SharedForks, sharing


@pytest.fixture(scope="package")
def shared_forks() -> Iterator[SharedForks]:
    """The fork server of all films."""
    with sharing(SCREENSHOTS, *KINDS, drawn.KIND) as forks:
        yield forks


@pytest.fixture
def forks(shared_forks: SharedForks) -> Iterator[SharedForks]:
    """The shared fork server, checked for processes that are left."""
    yield shared_forks
    shared_forks.close()
