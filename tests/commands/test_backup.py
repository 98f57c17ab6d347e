"""Backups made beside a running service, and restored to an empty machine."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from tests.commands.script import Mockup, run
from tests.support.live import ONE_AT_ONCE, SECRET, running

pytestmark = pytest.mark.long(seconds=6)


def test_a_backup_is_restored_to_an_empty_machine(tmp_path: Path) -> None:
    old, new, copy = (tmp_path / name for name in ("old", "new", "copy"))
    old.mkdir()
    with running(old, **ONE_AT_ONCE) as live:
        key = live.key()
        project = live.send(
            "POST",
            "/api/v1/projects",
            {"name": "Launch", "settings": {"canvas": {"width": 400, "height": 300}}},
            key=key,
        ).json["id"]
        before = live.mockup(key, "?output=raw", projectId=project, settings={})
        assert before.status == 200
        secret = {"MOCKUP_KEY_SECRET": SECRET, "MOCKUP_DATABASE_URL": f"sqlite:///{old}/mockup.db"}
        done = run("db", "backup", str(copy), **secret)
        assert done.returncode == 0, done.stderr
        # The copy does not contain this later change.
        assert live.send("DELETE", f"/api/v1/projects/{project}", key=key).status == 204
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in copy.iterdir()} == {0o600}
    shutil.copytree(copy, new)
    shutil.rmtree(old)
    with running(new, KEY_SECRET_FILE=str(new / "key.secret"), KEY_SECRET="", **ONE_AT_ONCE) as live:
        after = live.mockup(key, "?output=raw", projectId=project, settings={})
        assert after.status == 200
        assert after.body == before.body


def test_impossible_backups_are_explained(
    mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no database at var/mockup.db" in mockup("db", "backup", "copy", code=1)
    mockup("db", "upgrade")
    (place / "copy").mkdir()
    assert "the folder copy cannot be created: File exists" in mockup("db", "backup", "copy", code=1)
    monkeypatch.setenv("MOCKUP_DATABASE_URL", "postgresql://someone:secret@127.0.0.1/mockup")
    said = mockup("db", "backup", "other", code=1)
    assert "use pg_dump" in said
    assert "secret@" not in said
