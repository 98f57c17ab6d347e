from collections.abc import Iterator
from pathlib import Path

import pytest

from service.accounts.store import Accounts, User
from service.config import Config
from tests.support.live import furnish


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data_dir=tmp_path / "var", max_projects=3, max_project_bytes=256)


@pytest.fixture
def accounts(config: Config) -> Iterator[Accounts]:
    furnish(config.data_dir)
    with Accounts(config) as opened:
        yield opened


@pytest.fixture
def user(accounts: Accounts) -> User:
    return accounts.users.add("ada@example.com", "pro")
