from __future__ import annotations

import errno
import re
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from service.codec.sandbox import seccomp
from service.concurrency.ordered_map import CPUS

pytestmark = pytest.mark.long

CONFINED = (
    "import os; from service.codec.sandbox.confine import confine; assert confine(100 << 20, 1 << 20); "
)


def confined(script: str, *, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run `script` in a process that has first loaded os, ctypes, socket and mmap, and then confined
    itself."""
    loaded = (
        "import ctypes, mmap, os, socket, subprocess, threading; libc = ctypes.CDLL(None, use_errno=True); "
    )
    command = [sys.executable, "-c", loaded + before + CONFINED + script]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "script",
    [
        "open('/etc/passwd')",
        "open('/tmp/written-by-a-decoder', 'w')",
        "os.listdir('/')",
        "os.fork()",
        "os.kill(os.getppid(), 0)",
        "os.unlink('/nowhere')",
        "os.pidfd_open(os.getppid())",
        "os.memfd_create('more')",
        "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    ],
)
def test_unneeded_system_calls_fail(script: str) -> None:
    done = confined(f"\ntry:\n    {script}\nexcept PermissionError:\n    print('denied')")
    assert done.stdout == "denied\n", done.stderr


@pytest.mark.parametrize(
    "script",
    [
        "socket.socket()",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "os.execv('/bin/true', ['true'])",
        "libc.ptrace(0, 0, 0, 0)",
        "libc.process_vm_readv(1, None, 0, None, 0, 0)",
    ],
)
def test_suspicious_system_calls_end_the_process(script: str) -> None:
    assert confined(script).returncode == -signal.SIGSYS


@pytest.mark.skipif(CPUS == 1, reason="there is no second thread")
def test_the_second_thread_is_confined_like_the_first() -> None:
    script = (
        "\nfrom service.concurrency.ordered_map import pool"
        "\nprint(type(pool(1).submit({}).exception()).__name__)"
    )
    assert confined(script.format("open, '/etc/passwd'")).stdout == "PermissionError\n"
    assert confined(script.format("os.fork")).stdout == "PermissionError\n"
    assert confined(script.format("socket.socket")).returncode == -signal.SIGSYS
    assert confined(script.format("bytearray, 3 << 30")).stdout == "MemoryError\n"


def test_no_thread_can_be_started() -> None:
    assert "can't start new thread" in confined("threading.Thread(target=print).start()").stderr


def test_memory_is_limited() -> None:
    assert "MemoryError" in confined("bytearray(3 << 30)").stderr
    assert confined("bytearray(64 << 20); print('ok')").stdout == "ok\n"


def test_written_bytes_are_limited() -> None:
    file = "file = os.memfd_create('a job'); "
    script = "print(os.pwrite(file, b'x', (100 << 20) - 1)); os.pwrite(file, b'x', 100 << 20)"
    done = confined(script, before=file)
    assert done.stdout == "1\n"
    assert "File too large" in done.stderr


def test_open_files_are_limited() -> None:
    sent = "here, there = socket.socketpair(); socket.send_fds(there, [b'x'], [1] * 30); "
    done = confined("found = socket.recv_fds(here, 1, 30)[1]; print(len(found), max(found))", before=sent)
    count, last = map(int, done.stdout.split())
    assert 5 < count < 16
    assert last == 15


def verdict(code: bytes, arch: int, number: int, third: int = 0) -> int:
    """Run a classic BPF program over one struct seccomp_data."""
    data = struct.pack("<iIQ6Q", number, arch, 0, 0, 0, third, 0, 0, 0)
    at, accumulator = 0, 0
    while True:
        operation, if_true, if_false, k = struct.unpack_from("HBBI", code, 8 * at)
        at += 1
        if operation == 0x06:
            return int(k)
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, k)
            continue
        holds = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[operation]
        at += if_true if holds else if_false


@pytest.mark.parametrize(
    ("machine", "header"),
    # aarch64 has the numbers of all newer architectures.
    [("x86_64", "x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "asm-generic/unistd.h")],
)
def test_calls_have_the_numbers_of_their_machine(machine: str, header: str) -> None:
    file = Path("/usr/include", header)
    if not file.exists():
        pytest.skip(f"{file} is not installed")
    text = file.read_text()
    # Calls whose name differs on machines of 32 bits have 3264 in it.
    found = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\b", text)
    names = {name: int(number) for name, number in found}
    names.setdefault("newfstatat", names.get("fstatat", 0))
    column = list(seccomp.ARCHES).index(machine)
    for name, pair in (seccomp.ALLOWED | seccomp.WITHOUT_EXEC | seccomp.DEADLY).items():
        if pair[column] is not None:
            assert names[name] == pair[column], name


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_itself(machine: str) -> None:
    code = seccomp.program(machine)
    arch = seccomp.ARCHES[machine]
    column = list(seccomp.ARCHES).index(machine)
    denied = seccomp.ERRNO | errno.EPERM
    assert len(code) % 8 == 0
    assert len(code) // 8 < 4096
    known = {}
    for name, pair in (seccomp.ALLOWED | seccomp.WITHOUT_EXEC).items():
        if (number := pair[column]) is not None:
            known[number] = name
            assert verdict(code, arch, number) == seccomp.ALLOW, name
    for pair in seccomp.WITHOUT_EXEC.values():
        assert verdict(code, arch, pair[column], 4) == denied
        assert verdict(code, arch, pair[column], 7) == denied
        assert verdict(code, arch, pair[column], 3) == seccomp.ALLOW
    for name, pair in seccomp.DEADLY.items():
        known[pair[column]] = name
        assert verdict(code, arch, pair[column]) == seccomp.KILL_PROCESS, name
    for number in set(range(600)) - set(known):
        assert verdict(code, arch, number) == denied
    assert verdict(code, 0x40000003, 0) == seccomp.KILL_PROCESS
    if machine == "x86_64":
        assert verdict(code, arch, seccomp.X32 + 1) == seccomp.KILL_PROCESS
