from __future__ import annotations

from pathlib import Path

import pytest

from service.system.container import cpus, memory, quota


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({}, None),
    ],
)
def test_cpu_quota(tmp_path: Path, files: dict[str, str], expected: float | None) -> None:
    _fill(tmp_path, files)
    assert quota(tmp_path) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"memory.max": "1048576\n"}, 1048576),
        ({"memory/memory.limit_in_bytes": "2097152\n"}, 2097152),
        ({"memory.max": "max\n"}, None),
        ({"memory/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ({}, None),
    ],
)
def test_memory(tmp_path: Path, files: dict[str, str], expected: int | None) -> None:
    _fill(tmp_path, files)
    kilobytes = Path("/proc/meminfo").read_text().split()[1]
    assert memory(tmp_path) == (expected or int(kilobytes) * 1024)


def test_at_least_one_cpu() -> None:
    assert cpus() >= 1


def _fill(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
