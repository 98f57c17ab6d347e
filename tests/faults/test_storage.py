"""A database that is locked, on a full disk or read-only: writes are a 503, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest

from service.accounts import database as module
from service.accounts import private_files
from service.accounts.errors import AccountError
from service.accounts.store import Accounts
from service.config import Config
from service.errors import Code, MockupError
from tests.support.live import ONE_AT_ONCE, Answer, Live, running

pytestmark = pytest.mark.long


def saved(live: Live, key: str, name: str = "a project", padding: int = 0) -> Answer:
    body = {"name": name, "settings": {"screen": {"background": "#123456"}, "device": "iphone-16-pro"}}
    return live.send("POST", "/api/v1/projects", body | ({"name": name + "x" * padding}), key=key)


def names(live: Live, key: str) -> list[str]:
    return [project["name"] for project in live.send("GET", "/api/v1/projects", key=key).json["projects"]]


def refused(answer: Answer) -> bool:
    assert answer.status == 503, answer.body
    assert answer.code == "SERVER_BUSY"
    assert int(answer.headers["Retry-After"]) >= 1
    assert not any(
        inside in answer.body for inside in (b"sqlite", b"disk", b"readonly", b".db", b"Traceback")
    )
    return True


def ready(live: Live) -> bool:
    answer = live.send("GET", "/health/ready")
    assert answer.json["checks"]["database"] is (answer.status == 200)
    return answer.status == 200


def causes(live: Live) -> set[str]:
    """The log lines about the database."""
    lines = [json.loads(line) for line in live.log.read_text().splitlines() if line.startswith("{")]
    return {line["reason"] for line in lines if line["event"].startswith("database")}


def test_locked(tmp_path: Path) -> None:
    with running(tmp_path, **ONE_AT_ONCE) as live:
        key = live.key()
        assert saved(live, key, "before").status == 201
        assert ready(live)
        other = sqlite3.connect(tmp_path / "mockup.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert refused(saved(live, key, "while"))
        assert not ready(live)
        assert causes(live) == {"database is locked"}
        assert live.mockup(key).status == 200, "who only reads does not wait"
        other.execute("ROLLBACK")
        other.close()
        assert ready(live)
        assert saved(live, key, "after").status == 201
        assert names(live, key) == ["before", "after"]


def fill(file: Path) -> None:
    """Fill the disk by writing until there is no room."""
    with file.open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if not mount or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk(tmp_path: Path, disk: Path) -> None:
    settings = {"DATABASE_URL": f"sqlite:///{disk}/mockup.db", "DATA_DIR": str(tmp_path)}
    with running(tmp_path, **settings, **ONE_AT_ONCE) as live:
        key = live.key()
        assert saved(live, key, "before").status == 201
        with pytest.raises(OSError, match="No space"):
            fill(disk / "ballast")
        for _ in range(40):
            answer = saved(live, key, "while", 150)
            if answer.status != 201:
                break
        assert refused(answer)
        assert not ready(live)
        assert causes(live) == {"database or disk is full"}
        assert live.mockup(key).status == 200, "pictures need no room on the disk"
        kept = names(live, key)
        assert kept[0] == "before"
        (disk / "ballast").unlink()
        assert ready(live)
        assert saved(live, key, "after").status == 201
        assert names(live, key) == [*kept, "after"]

        live.process.kill()
        live.process.wait()
    with running(tmp_path, **settings, **ONE_AT_ONCE) as again:
        assert names(again, key) == [*kept, "after"]


def save_many(accounts: Accounts, user_id: UUID) -> None:
    """Save more projects than there are free pages for."""
    for number in range(200):
        accounts.projects.save(user_id, f"project {number}", {"padding": "x" * 4000})


@pytest.mark.parametrize("pragma", ["max_page_count = 1", "query_only = ON"], ids=["full", "read-only"])
def test_full_and_read_only_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pragma: str) -> None:
    config = Config(data_dir=tmp_path)
    with Accounts(config) as accounts:
        accounts.upgrade()
        user = accounts.users.add("ada@example.com", "pro")
        key = accounts.keys.issue(user.id)
        accounts.projects.save(user.id, "before", {})
    monkeypatch.setattr(module, "PRAGMAS", (*module.PRAGMAS, pragma))
    with Accounts(config) as accounts:
        with pytest.raises(MockupError) as caught:
            save_many(accounts, user.id)
        assert caught.value.code is Code.SERVER_BUSY
        assert not accounts.is_writable()
        assert accounts.authenticate(key) is not None
        assert accounts.projects.list(user.id)[0].name == "before"


@pytest.mark.parametrize("write", [private_files.replace, lambda path, text: read(path, text)])
def test_a_secret_on_a_full_disk_leaves_no_file(disk: Path, write: Callable[[Path, str], object]) -> None:
    with pytest.raises(OSError, match="No space"):
        fill(disk / "ballast")
    before = sorted(disk.iterdir())
    for _ in range(3):
        with pytest.raises(AccountError, match="No space left on device"):
            write(disk / "key.secret", "x" * 5000)
    assert sorted(disk.iterdir()) == before
    (disk / "ballast").unlink()
    write(disk / "key.secret", "x" * 5000)
    assert [path.name for path in disk.iterdir()] == ["key.secret"]


def read(path: Path, text: str) -> str:
    return private_files.read_or_create(path, lambda: text)


def test_a_secret_that_cannot_be_moved_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "demo.key" / "folder").mkdir(parents=True)
    with pytest.raises(AccountError, match="cannot be written"):
        private_files.replace(tmp_path / "demo.key", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["demo.key"]
