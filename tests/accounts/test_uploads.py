from __future__ import annotations

import os
import threading
import time
import uuid
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.accounts.store import Accounts, Upload
from service.accounts.stored_files import StoredLimits
from service.accounts.uploads import Uploads
from service.errors import Code, MockupError
from service.limits import UPLOAD_GRACE_S

LIMITS = StoredLimits(count=3, size=100, total=350, lifetime_s=60)


@pytest.fixture
def uploads(accounts: Accounts, tmp_path: Path) -> Uploads:
    return Uploads(accounts.database, tmp_path / "uploads", LIMITS)


def owner(accounts: Accounts, name: str = "ada") -> uuid.UUID:
    return accounts.users.add(f"{name}@example.com", "pro").id


def test_a_folder_that_cannot_be_made_counts_as_no_room(accounts: Accounts, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    uploads = Uploads(accounts.database, tmp_path / "file" / "uploads", LIMITS)
    ada = owner(accounts)
    for store in (lambda: uploads.save(ada, b"picture", 4, 3), uploads.begin):
        with pytest.raises(MockupError, match="no room for uploads") as refused:
            store()
        assert refused.value.code is Code.SERVER_BUSY
    assert not uploads.ids(ada)


def expired(uploads: Uploads, accounts: Accounts, tmp_path: Path) -> Upload:
    past = Uploads(accounts.database, tmp_path / "uploads", StoredLimits(3, 100, 150, -1))
    made = past.save(owner(accounts, "old"), b"old", 1, 1)
    assert uploads.find(made.user_id, str(made.id)) is None
    return made


def test_an_upload_is_stored_read_and_deleted(accounts: Accounts, uploads: Uploads, tmp_path: Path) -> None:
    ada, bob = owner(accounts), owner(accounts, "bob")
    made = uploads.save(ada, b"picture", 4, 3)
    assert uploads.find(ada, str(made.id)) == made
    assert uploads.find(bob, str(made.id)) is None
    assert uploads.read(made) == b"picture"
    file = tmp_path / "uploads" / str(made.id)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert not uploads.remove(bob, str(made.id))
    assert uploads.remove(ada, str(made.id))
    assert not uploads.remove(ada, str(made.id))
    assert uploads.find(ada, str(made.id)) is None
    assert uploads.read(made) is None
    assert not file.exists()


@pytest.mark.parametrize("sizes", [(1, 1, 1), (60, 40), (100,)])
def test_uploads_per_user_are_limited(
    accounts: Accounts, uploads: Uploads, tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    ada = owner(accounts)
    for size in sizes:
        uploads.save(ada, bytes(size), 1, 1)
    with pytest.raises(MockupError, match="at most 3 screenshots") as refused:
        uploads.save(ada, b"1", 1, 1)
    assert refused.value.code is Code.INVALID_REQUEST
    assert len(list((tmp_path / "uploads").iterdir())) == len(sizes)
    uploads.save(owner(accounts, "bob"), b"1", 1, 1)


def test_uploads_of_all_users_are_limited(accounts: Accounts, uploads: Uploads, tmp_path: Path) -> None:
    for name in ("ada", "dan", "kim"):
        uploads.save(owner(accounts, name), bytes(100), 1, 1)
    with pytest.raises(MockupError, match="no room for uploads") as refused:
        uploads.save(owner(accounts, "bob"), bytes(51), 1, 1)
    assert (refused.value.code, refused.value.retry_after) == (Code.SERVER_BUSY, 60)
    assert len(list((tmp_path / "uploads").iterdir())) == 3
    uploads.save(owner(accounts, "eve"), bytes(50), 1, 1)


def test_few_users_cannot_take_all_storage(accounts: Accounts, uploads: Uploads) -> None:
    for name in ("ada", "dan"):
        uploads.save(owner(accounts, name), bytes(100), 1, 1)
    greedy = owner(accounts, "kim")
    for size in (60, 10):
        uploads.save(greedy, bytes(size), 1, 1)
    with pytest.raises(MockupError, match="no room for uploads"):
        uploads.save(greedy, bytes(10), 1, 1)
    uploads.save(owner(accounts, "eve"), bytes(50), 1, 1)


def test_no_file_is_written_beyond_the_limit(
    accounts: Accounts, uploads: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = owner(accounts)
    uploads.save(ada, bytes(100), 1, 1)
    monkeypatch.setattr(uploads, "_write", lambda *_: pytest.fail("a file was written"))
    with pytest.raises(MockupError, match="at most 3 screenshots"):
        uploads.save(ada, b"1", 1, 1)


def test_parallel_uploads_respect_the_limit(accounts: Accounts, uploads: Uploads) -> None:
    ada, found = owner(accounts), list[str]()

    def save() -> None:
        try:
            uploads.save(ada, b"1", 1, 1)
        except MockupError as error:
            found.append(error.code)

    threads = [threading.Thread(target=save) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Code.INVALID_REQUEST] * 5


def test_expired_ones_make_room(accounts: Accounts, uploads: Uploads, tmp_path: Path) -> None:
    gone = expired(uploads, accounts, tmp_path)
    for size in (98, 1, 1):
        uploads.save(gone.user_id, bytes(size), 1, 1)


def test_files_are_swept_once_no_render_can_need_them(
    accounts: Accounts, uploads: Uploads, tmp_path: Path
) -> None:
    gone, kept = expired(uploads, accounts, tmp_path), uploads.save(owner(accounts), b"new", 1, 1)
    orphan = tmp_path / "uploads" / "left by a crash"
    orphan.write_bytes(b"")
    assert uploads.sweep() == 0  # these have only just expired, so a render may be about to read them
    past = time.time() - LIMITS.lifetime_s - UPLOAD_GRACE_S - 1
    for file in (tmp_path / "uploads" / str(gone.id), orphan):
        os.utime(file, (past, past))
    assert uploads.sweep() == 2
    assert [file.name for file in (tmp_path / "uploads").iterdir()] == [str(kept.id)]


def test_missing_and_unreadable_files_are_handled(
    accounts: Accounts, uploads: Uploads, tmp_path: Path
) -> None:
    made = uploads.save(owner(accounts), b"1", 1, 1)
    unshared = Uploads(accounts.database, tmp_path / "of this instance alone", LIMITS)
    with capture_logs() as logged:
        assert unshared.read(made) is None
    assert "do all instances share MOCKUP_UPLOAD_DIR?" in logged[0]["event"]
    (tmp_path / "uploads" / str(made.id)).unlink()
    # Put a folder in the file's place: not even root can read a folder as a file.
    (tmp_path / "uploads" / str(made.id)).mkdir()
    with pytest.raises(MockupError, match="uploads are unavailable") as refused:
        uploads.read(made)
    assert refused.value.code is Code.SERVER_BUSY


def test_sweeping_before_the_first_upload(uploads: Uploads) -> None:
    assert uploads.sweep() == 0


def test_a_folder_that_cannot_be_written_to(accounts: Accounts) -> None:
    # Put a file in place of the folder, so that not even root can create a file there.
    full = Uploads(accounts.database, Path("/proc"), LIMITS)
    with pytest.raises(MockupError, match="no room for uploads") as refused:
        full.save(owner(accounts), b"1", 1, 1)
    assert isinstance(refused.value.__cause__, OSError)
