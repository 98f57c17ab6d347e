"""Recordings of users: how long they are kept."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy import update

from service.accounts.recordings import StoredRecording
from service.accounts.store import Accounts, User
from service.accounts.tables import now, recordings


def saved(accounts: Accounts, user: User, folder: Path) -> StoredRecording:
    file = folder / "recording"
    file.write_bytes(b"recorded")
    return accounts.recordings.save(user.id, file, width=96, height=160, length=5.0, fps=25.0)


def aged(accounts: Accounts, one: StoredRecording, left: timedelta) -> None:
    """Set the time that is `left` until a recording expires, also in the time of its file."""
    with accounts.database.write() as connection:
        row = recordings.c.id == one.id
        connection.execute(update(recordings).where(row).values(expires_at=now() + left))
    os.utime(accounts.recordings.path(one.id), (0, 0))


def test_a_recording_that_a_film_waits_for_is_kept_as_if_it_were_new(
    accounts: Accounts, user: User, tmp_path: Path
) -> None:
    one = saved(accounts, user, tmp_path)
    aged(accounts, one, timedelta(seconds=1))
    begun = now()
    accounts.recordings.keep(one.id)
    found = accounts.recordings.find(user.id, one.id)
    assert found is not None
    assert found.expires_at >= one.expires_at
    assert replace(found, expires_at=one.expires_at) == one
    assert accounts.recordings.path(one.id).stat().st_mtime >= begun.timestamp() - 1


def test_an_expired_recording_is_not_found(accounts: Accounts, user: User, tmp_path: Path) -> None:
    one = saved(accounts, user, tmp_path)
    assert accounts.recordings.find(user.id, one.id) == one
    aged(accounts, one, timedelta(seconds=-1))
    assert accounts.recordings.find(user.id, one.id) is None


def test_lengths_are_told_in_milliseconds(accounts: Accounts, user: User, tmp_path: Path) -> None:
    one = saved(accounts, user, tmp_path)
    assert one.duration_ms == 5000
    assert replace(one, length=1.2346).duration_ms == 1235
