"""Writing data through to the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.system.disk import sync


def test_syncing_leaves_nothing_open(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("data")
    before = len(os.listdir("/proc/self/fd"))
    sync(file)
    sync(tmp_path)
    with pytest.raises(OSError, match="Invalid argument"):
        sync(Path("/dev/null"))
    assert len(os.listdir("/proc/self/fd")) == before
