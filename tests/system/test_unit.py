"""The unit for systemd: systemd accepts it, and the service works with the system calls that it allows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.live import running
from tests.support.processes import decoders
from tests.support.unit_filter import UNIT, confined
from tests.support.waiting import until

pytestmark = [
    pytest.mark.long(seconds=4),
    pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze"),
]


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    text = UNIT.read_text("utf-8")
    file = tmp_path / UNIT.name
    # The unit's program is not installed here, so the interpreter takes its place.
    file.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_forbidden_call_kills() -> None:
    mount = "import ctypes; ctypes.CDLL(None).mount(None, None, None, 0, None)"
    done = subprocess.run(confined(sys.executable, "-c", mount), check=False)
    assert done.returncode < 0


def test_pictures_are_made_with_the_calls_that_are_allowed(tmp_path: Path) -> None:
    with running(tmp_path, *confined()) as live:
        assert live.send("GET", "/health/ready").status == 200
        assert live.mockup().status == 200
        # The decoders' own filter is added to the unit's.
        expected = filters(os.getpid()) + 2
        until(lambda: expected in map(filters, decoders(live.process.pid)), "a confined decoder")


def filters(pid: int) -> int:
    """The system call filters that a process is under; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return int(re.findall(r"^Seccomp_filters:\t(\d+)$", status, re.MULTILINE)[0])
