"""The probe by which readiness reports whether the database can be written to."""

from __future__ import annotations

import sqlite3
import threading
from typing import Any

import pytest
from sqlalchemy import event, func, select, text
from structlog.testing import capture_logs

from service.accounts import database
from service.accounts import write_probe as module
from service.accounts.store import Accounts, User
from service.accounts.tables import trials
from service.config import Config
from service.errors import MockupError, stopping
from tests.support.waiting import PATIENCE_S


def commits(accounts: Accounts) -> list[object]:
    seen: list[object] = []
    event.listen(accounts.database.engine, "commit", seen.append)
    return seen


def fillers(accounts: Accounts) -> list[str]:
    """The texts that are written to the table of trials."""
    seen: list[str] = []

    def note(*given: Any) -> None:
        if given[2].startswith("INSERT INTO trials"):
            seen.append(max((str(one) for one in given[3]), key=len))

    event.listen(accounts.database.engine, "before_cursor_execute", note)
    return seen


def test_the_probe_writes_a_row_and_removes_it(accounts: Accounts) -> None:
    seen, filler = commits(accounts), fillers(accounts)
    assert accounts.is_writable()
    assert len(seen) == 2
    assert [len(one) for one in filler] == [16 * 1024], "more than a database has room for beside its rows"
    with accounts.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(trials)).scalar() == 0


def test_a_successful_probe_is_trusted_for_a_while(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FRESH_S", 3600.0)
    assert accounts.is_writable()
    seen = commits(accounts)
    assert all(accounts.is_writable() for _ in range(10))
    assert seen == []
    monkeypatch.setattr(module, "FRESH_S", -1.0)
    assert accounts.is_writable()
    assert len(seen) == 2


def test_a_failed_write_triggers_another_probe(
    accounts: Accounts, user: User, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FRESH_S", 3600.0)
    monkeypatch.setattr(database, "DATABASE_MS", 100)
    monkeypatch.setattr(database, "PROBE_MS", 20)
    assert accounts.is_writable()
    other = sqlite3.connect(config.data_dir / "mockup.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert accounts.is_writable(), "not known yet"
    with pytest.raises(MockupError):
        accounts.projects.save(user.id, "x", {})
    with capture_logs() as logged:
        assert not accounts.is_writable()
        assert not accounts.is_writable(), "a bad one is not believed for long"
    assert [line["reason"] for line in logged] == ["database is locked"] * 2
    other.execute("ROLLBACK")
    other.close()
    assert accounts.is_writable()
    with accounts.database.write() as connection:
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 100, "patient again"


def test_concurrent_callers_get_the_previous_result(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FRESH_S", -1.0)
    assert accounts.is_writable()
    begun, ended = threading.Event(), threading.Event()

    def tried(impatient: bool) -> None:
        begun.set()
        assert ended.wait(PATIENCE_S)
        raise stopping()

    monkeypatch.setattr(accounts.database, "write", tried)
    found: list[bool] = []
    trying = threading.Thread(target=lambda: found.append(accounts.is_writable()))
    trying.start()
    assert begun.wait(PATIENCE_S)
    assert accounts.is_writable()
    ended.set()
    trying.join()
    assert found == [False]


def test_rows_of_interrupted_probes_are_removed(accounts: Accounts) -> None:
    with accounts.database.write() as connection:
        connection.execute(text("INSERT INTO trials VALUES ('left', 'behind')"))
    assert accounts.is_writable()
    with accounts.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(trials)).scalar() == 0
