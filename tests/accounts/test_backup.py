"""Copies of the database and the key secret."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from service.accounts.backup import back_up
from service.accounts.errors import AccountError
from service.accounts.store import Accounts, User
from service.config import Config


def test_a_backup_serves_as_data_folder(
    accounts: Accounts, config: Config, user: User, tmp_path: Path
) -> None:
    key = accounts.keys.issue(user.id)
    folder = tmp_path / "deep" / "copy"
    back_up(config, folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {
        "key.secret": 0o600,
        "mockup.db": 0o600,
    }
    # The copy is in WAL mode, like the service's own database, so readers never block writers.
    with closing(sqlite3.connect(folder / "mockup.db")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with Accounts(Config(data_dir=folder)) as copied:
        caller = copied.authenticate(key)
        assert caller is not None
        assert caller.user_id == user.id


def test_impossible_backups_are_refused(config: Config, accounts: Accounts, tmp_path: Path) -> None:
    with pytest.raises(AccountError, match=r"cannot be created: File exists"):
        back_up(config, tmp_path)
    missing = Config(data_dir=tmp_path / "none")
    with pytest.raises(AccountError, match=f"there is no database at {tmp_path / 'none' / 'mockup.db'}"):
        back_up(missing, tmp_path / "copy")
    elsewhere = Config(data_dir=tmp_path, database_url="postgresql://nobody@127.0.0.1/none")
    with pytest.raises(AccountError, match="use pg_dump"):
        back_up(elsewhere, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
