"""Files that only their owner may read, in folders that may not exist yet."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from service.accounts import private_files
from service.accounts.errors import AccountError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_text_is_created_once_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "var" / "more" / "key.secret"
    assert private_files.read_or_create(path, lambda: "first") == "first"
    assert private_files.read_or_create(path, lambda: "second") == "first"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert [one.name for one in path.parent.iterdir()] == ["key.secret"]


def test_a_text_is_read_without_the_white_space_around_it(tmp_path: Path) -> None:
    path = tmp_path / "key.secret"
    path.write_text("  of somebody's own\n\n")
    assert private_files.read_or_create(path, lambda: "made") == "of somebody's own"
    path.write_text(" \n")
    with pytest.raises(AccountError, match="is empty"):
        private_files.read_or_create(path, lambda: "made")


def test_a_text_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "var" / "demo.key"
    for text in ("first", "second"):
        private_files.replace(path, text)
        assert (path.read_text(), mode(path)) == (f"{text}\n", 0o600)
    assert [one.name for one in path.parent.iterdir()] == ["demo.key"]
    assert mode(path.parent) == 0o700


def test_an_empty_file_is_created_with_private_permissions(tmp_path: Path) -> None:
    path = tmp_path / "var" / "mockup.db"
    private_files.make_file(path)
    assert (path.read_bytes(), mode(path), mode(path.parent)) == (b"", 0o600, 0o700)
    path.write_bytes(b"rows")
    path.chmod(0o644)
    private_files.make_file(path)
    assert (path.read_bytes(), mode(path)) == (b"rows", 0o600)


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    private_files.make_folder(tmp_path)
    assert mode(tmp_path) == 0o750


def test_errors_name_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    below = tmp_path / "file" / "below"
    with pytest.raises(AccountError, match=f"the folder {below} cannot be created: Not a directory"):
        private_files.make_folder(below)
    with pytest.raises(AccountError, match="cannot be"):
        private_files.read_or_create(below / "key", lambda: "text")
    with pytest.raises(AccountError, match="cannot be"):
        private_files.replace(below / "key", "text")
    with pytest.raises(AccountError, match=f"the file {tmp_path} cannot be opened: Is a directory"):
        # Even root, who may open a folder for reading, cannot create a file by opening a folder.
        private_files.make_file(tmp_path)
