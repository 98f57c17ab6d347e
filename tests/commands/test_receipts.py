"""The file of receipts: what a crash leaves of it, and when it is synced."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path

import pytest

from service.commands.bulk.receipts import Receipt, Receipts, committed, key, row_id
from service.commands.bulk.stores import Version
from service.errors import MockupError


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return tmp_path / "jobs.jsonl"


def receipt(row: str, *screenshots: str) -> Receipt:
    return Receipt(row, None, 7, screenshots or ("a.png",), f"{row}.png", 99)


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (b"", b""),
        (b"{}\n", b"{}\n"),
        (b'{}\n{"row', b"{}\n"),
        (b"torn", b""),
        (b"x" * 10_000, b""),
        (b"{}\n" + b"x" * 10_000, b"{}\n"),
        (b"{}\n" + b"x" * 4095, b"{}\n"),
        (b"{}\n" + b"x" * 4096, b"{}\n"),
        (b"y" * 5000 + b"\n" + b"x" * 3000, b"y" * 5000 + b"\n"),
    ],
)
def test_a_torn_line_is_cut_off(manifest: Path, written: bytes, left: bytes) -> None:
    with Receipts(manifest, (0, 1)) as kept:
        pass
    kept.file.write_bytes(written)
    with Receipts(manifest, (0, 1)):
        assert kept.file.read_bytes() == left


def test_receipts_are_synced_in_batches(manifest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with Receipts(manifest, (0, 1)) as kept:
        counts = []
        for number in range(130):
            kept.append(receipt(str(number)))
            counts.append(len(synced))
    assert [counts.index(one) + 1 for one in (1, 2)] == [64, 128]
    assert len(synced) == 3, "and at the end"
    assert [row for row, _ in committed(manifest)] == [str(number) for number in range(130)]


def test_a_full_disk_is_an_error(manifest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with Receipts(manifest, (0, 1)) as kept:
        monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:-1]))
        with pytest.raises(OSError, match="No space left"):
            kept.append(receipt("one"))


def test_each_shard_has_a_file_that_one_run_writes(manifest: Path) -> None:
    with Receipts(manifest, (2, 3)) as kept:
        kept.append(receipt("one"))
        assert kept.file.name == "jobs.jsonl.2-of-3.receipts.jsonl"
        with pytest.raises(MockupError, match="another run is writing it"):
            Receipts(manifest, (2, 3))
        with Receipts(manifest, (0, 1)) as whole:
            whole.append(receipt("two"))
            assert whole.file.name == "jobs.jsonl.receipts.jsonl"
    whole.file.write_bytes(whole.file.read_bytes() + b'[]\n{"row": "three"}\n{"row"')
    (manifest.parent / "other.jsonl.receipts.jsonl").write_text('{"row": "four", "output": "four.png"}\n')
    assert set(committed(manifest)) == {("one", "one.png"), ("two", "two.png")}


def test_a_receipt_names_one_screenshot_or_several(manifest: Path) -> None:
    with Receipts(manifest, (0, 1)) as kept:
        kept.append(receipt("one", "a.png"))
        kept.append(receipt("two", "a.png", "b.png"))
    one, two = map(json.loads, kept.file.read_text().splitlines())
    rest = {"id": None, "line": 7, "bytes": 99}
    assert one == {"row": "one", "screenshot": "a.png", "output": "one.png"} | rest
    assert two == {"row": "two", "screenshots": ["a.png", "b.png"], "output": "two.png"} | rest


def test_pictures_have_ids_of_all_that_they_depend_on() -> None:
    first: Version = ("1", 5)
    second: Version = ("2", 5)
    ids = [
        row_id(["a"], [first], "digest", False),
        row_id(["b"], [first], "digest", False),
        row_id(["a"], [second], "digest", False),
        row_id(["a"], [first], "other", False),
        row_id(["a"], [first], "digest", True),
    ]
    assert all(one != other for one, other in combinations(ids, 2))
    assert row_id(["a"], [first], "digest", False) == ids[0]
    assert key(ids[0], "one.png") != key(ids[0], "two.png")
