from __future__ import annotations

from pathlib import Path

import pytest

from service.system import container
from service.system.container import cpus, memory, memory_in_use, out_of_memory_kills, quota


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


@pytest.mark.parametrize("inner", ["", "/inner"])
def test_limits_of_a_unit_count(tmp_path: Path, inner: str) -> None:
    unit = "system.slice/mockup.service"
    _fill(
        tmp_path,
        {"own": f"0::/{unit}{inner}\n", "memory.max": "max\n", "system.slice/memory.max": "3145728\n"},
    )
    assert memory(tmp_path, tmp_path / "own") == 3145728
    _fill(tmp_path, {f"{unit}/memory.max": "2097152\n", f"{unit}/cpu.max": "50000 100000\n"})
    assert memory(tmp_path, tmp_path / "own") == 2097152
    assert quota(tmp_path, tmp_path / "own") == 0.5
    _fill(tmp_path, {f"{unit}/memory.current": "5000\n", f"{unit}/memory.stat": "inactive_file 1000\n"})
    assert memory_in_use(tmp_path, tmp_path / "own") == 4000


def test_limits_of_a_group_of_version_1_count(tmp_path: Path) -> None:
    _fill(tmp_path, {"own": "4:memory:/jobs/one\n1:cpu,cpuacct:/jobs\n0::/\n", "memory/jobs/one/tasks": ""})
    _fill(tmp_path, {"memory/jobs/one/memory.limit_in_bytes": "1048576\n"})
    _fill(tmp_path, {"cpu/jobs/cpu.cfs_quota_us": "25000\n", "cpu/jobs/cpu.cfs_period_us": "100000\n"})
    assert memory(tmp_path, tmp_path / "own") == 1048576
    assert quota(tmp_path, tmp_path / "own") == 0.25


@pytest.mark.parametrize("path", ["/docker/1", "/../other"])
def test_invisible_control_groups_are_skipped(tmp_path: Path, path: str) -> None:
    _fill(tmp_path, {"own": f"4:memory:{path}\n", "memory/memory.limit_in_bytes": "1048576\n"})
    assert memory(tmp_path, tmp_path / "own") == 1048576
    assert memory_in_use(tmp_path, tmp_path / "own") is None


def test_at_least_one_cpu() -> None:
    assert cpus() >= 1


def _fill(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


@pytest.mark.parametrize(
    ("text", "kills"), [("oom_kill 12\n", 12), ("pgfault 7\noom_kill 0\n", 0), ("", 0), (None, 0)]
)
def test_kills_for_lack_of_memory_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, kills: int
) -> None:
    if text is not None:
        (tmp_path / "vmstat").write_text(text)
    monkeypatch.setattr(container, "VMSTAT", tmp_path / "vmstat")
    assert out_of_memory_kills() == kills


def test_a_process_may_not_know_its_control_groups(tmp_path: Path) -> None:
    _fill(tmp_path, {"memory.max": "1048576\n", "memory.current": "4096\n", "memory.stat": "anon 1\n"})
    assert memory(tmp_path, tmp_path / "missing") == 1048576
    assert memory_in_use(tmp_path, tmp_path / "missing") == 4096
