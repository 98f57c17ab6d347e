from __future__ import annotations

import contextlib
import gc
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from service.arrays import U8
from service.clock import CancelledError, Clock
from service.codec import header
from service.codec.decode import decode
from service.codec.encode import encode
from service.codec.sandbox import client as module
from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.messages import KIND
from service.concurrency.ordered_map import CPUS
from service.errors import Code, MockupError
from service.limits import DECODE_ATTEMPTS
from service.processes.forks import ForkServer
from service.settings.scene import Output
from service.system import container
from tests.codec.pictures import photo, saved
from tests.support.processes import children, send, stop
from tests.support.shared_forks import SharedForks, sharing
from tests.support.waiting import until

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def shared_forks() -> Iterator[SharedForks]:
    with sharing(KIND) as forks:
        yield forks


@pytest.fixture
def make(shared_forks: SharedForks) -> Iterator[Callable[..., Sandboxed]]:
    """Makes a sandbox of decoders, with a fork server of its own if `apart`."""
    made: list[Sandboxed] = []

    def build(*, apart: bool = False, **options: float) -> Sandboxed:
        made.append(Sandboxed(forks=None if apart else shared_forks, **options))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for sandboxed in made:
        sandboxed.close()


@cache
def slow() -> bytes:
    """A screenshot that keeps a decoder busy for a good part of a second."""
    pixels = np.tile(photo(500, 500), (10, 12, 1))
    options = [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_PAETH, cv2.IMWRITE_PNG_COMPRESSION, 1]
    return cv2.imencode(".png", pixels, options)[1].tobytes()


def decoded(sandboxed: Sandboxed, data: bytes, clock: Clock | None = None) -> U8:
    return sandboxed.decode(data, header.read(data), None, clock or Clock(60))


def fork_server(sandboxed: Sandboxed) -> int:
    assert isinstance(sandboxed.forks, ForkServer)
    return sandboxed.forks.pid


def at_work(pid: int) -> bool:
    """Whether a process is running rather than waiting."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "R"


class Watched(Clock):
    """A clock that records when it was first checked."""

    looked_at = False

    def check(self) -> None:
        self.looked_at = True
        super().check()


def the_only(sandboxed: Sandboxed) -> int:
    """The pid of the decoder, of which there must be exactly one."""
    (pid,) = children(fork_server(sandboxed))
    return pid


def segments() -> int:
    """The number of pieces of shared memory that this process holds."""
    held = 0
    for number in os.listdir("/proc/self/fd"):
        # `listdir` has already closed the descriptor with which it read the folder.
        with contextlib.suppress(FileNotFoundError):
            held += "memfd:segment" in os.readlink(f"/proc/self/fd/{number}")
    return held


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_pixels_are_those_of_the_plain_decoder(make: Callable[..., Sandboxed], form: str) -> None:
    data = saved(form)
    expected = decode(data, header.read(data))
    assert np.array_equal(decoded(make(), data), expected)


def test_reduced_and_turned(make: Callable[..., Sandboxed]) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved("JPEG", 64, 32, exif=exif)
    assert make().decode(data, header.read(data), (16, 32), Clock()).shape == (32, 16, 3)


def test_refusals_come_through_and_cost_no_process(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make()
    good, whole = saved(), saved("PNG", 300, 300)
    head = header.read(whole)
    decoded(sandboxed, good)
    before = children(fork_server(sandboxed))
    with pytest.raises(MockupError, match=r"damaged PNG|truncated PNG") as caught:
        sandboxed.decode(good, head, None, Clock())
    assert caught.value.code is Code.INVALID_REQUEST
    assert caught.value.details[0].path == "screenshot.src"
    decoded(sandboxed, good)
    assert children(fork_server(sandboxed)) == before


def test_pixels_stay_while_used_and_their_memory_is_reused(
    make: Callable[..., Sandboxed],
) -> None:
    sandboxed = make()
    first, second = saved("PNG", 80, 60), encode(255 - photo(80, 60), Output("png"))
    kept = decoded(sandboxed, first)[10:, 5:]
    expected = kept.copy()
    for _ in range(3):
        decoded(sandboxed, second)
    gc.collect()
    assert np.array_equal(kept, expected)
    del kept
    gc.collect()
    before = segments()
    assert before >= 2
    decoded(sandboxed, second)
    gc.collect()
    assert segments() == before


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.thorough)])
def test_a_process_that_dies_at_work_is_replaced(
    make: Callable[..., Sandboxed], caplog: pytest.LogCaptureFixture, number: int
) -> None:
    sandboxed = make(seconds=60)
    data = slow()
    # Repeat until a signal has hit a decoder in the middle of its work.
    while "died on a png file" not in caplog.text:
        decoded(sandboxed, saved())
        pid = the_only(sandboxed)
        with ThreadPoolExecutor(1) as pool:
            job = pool.submit(decoded, sandboxed, data)
            until(lambda: job.done() or at_work(pid))  # noqa: B023
            send(pid, number)
            assert job.result().shape == (5000, 6000, 3)
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)
    assert the_only(sandboxed) != pid


@pytest.fixture
def fatal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AbstractContextManager[list[int]]]:
    """Makes pictures that kill their decoder; yields the killed processes."""
    send_fds = socket.send_fds

    @contextmanager
    def patched(sandboxed: Sandboxed, number: int = signal.SIGSEGV) -> Iterator[list[int]]:
        killed = []

        def hand_over(channel: socket.socket, messages: list[bytes], fds: list[int]) -> int:
            if KIND.encode() in messages[0]:
                return send_fds(channel, messages, fds)
            pid = the_only(sandboxed)
            assert stop(pid)
            sent = send_fds(channel, messages, fds)
            send(pid, number)
            send(pid, signal.SIGCONT)
            killed.append(pid)
            return sent

        with monkeypatch.context() as patch:
            patch.setattr(socket, "send_fds", hand_over)
            yield killed

    return patched


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGSYS, signal.SIGABRT])
def test_a_picture_that_kills_every_process_is_refused(
    make: Callable[..., Sandboxed], fatal: Callable[..., AbstractContextManager[list[int]]], number: int
) -> None:
    """A decoder may crash, make a forbidden system call, or abort."""
    sandboxed = make()
    with (
        fatal(sandboxed, number) as killed,
        pytest.raises(MockupError, match="could not be decoded") as caught,
    ):
        decoded(sandboxed, saved())
    assert len(set(killed)) == DECODE_ATTEMPTS
    assert caught.value.code is Code.INVALID_REQUEST
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)


def test_a_lack_of_memory_is_not_blamed_on_the_picture(
    make: Callable[..., Sandboxed],
    fatal: Callable[..., AbstractContextManager[list[int]]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    vmstat = tmp_path / "vmstat"
    monkeypatch.setattr(container, "VMSTAT", vmstat)
    vmstat.write_text("oom_kill 3\n")
    sandboxed = make()
    vmstat.write_text("oom_kill 5\n")
    with fatal(sandboxed) as killed, pytest.raises(MockupError, match="out of memory") as caught:
        decoded(sandboxed, saved())
    assert len(set(killed)) == DECODE_ATTEMPTS
    assert (caught.value.code, caught.value.retry_after) == (Code.SERVER_BUSY, 2)
    # A picture that fails later is not reported as out of memory because an earlier one was.
    with fatal(sandboxed), pytest.raises(MockupError, match="could not be decoded"):
        decoded(sandboxed, saved())


@pytest.fixture
def starving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AbstractContextManager[list[int]]]:
    """Limits decoders to the memory that they already use plus `spare` bytes; yields the pids of the decoders
    that were limited."""
    send_fds = socket.send_fds

    @contextmanager
    def patched(sandboxed: Sandboxed, spare: int, times: int = DECODE_ATTEMPTS) -> Iterator[list[int]]:
        starved: list[int] = []

        def hand_over(channel: socket.socket, messages: list[bytes], fds: list[int]) -> int:
            if KIND.encode() not in messages[0] and len(starved) < times:
                pid = the_only(sandboxed)
                # Wait until the decoder has confined itself, because it also sets its own limits then.
                until(lambda: "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text())
                mapped = int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
                hard = resource.prlimit(pid, resource.RLIMIT_AS)[1]
                resource.prlimit(pid, resource.RLIMIT_AS, (mapped + spare, hard))
                starved.append(pid)
            return send_fds(channel, messages, fds)

        with monkeypatch.context() as patch:
            patch.setattr(socket, "send_fds", hand_over)
            yield starved

    return patched


@pytest.mark.parametrize(
    "form", ["PNG", *(pytest.param(form, marks=pytest.mark.thorough) for form in ("JPEG", "WEBP", "GIF"))]
)
def test_refused_memory_is_not_blamed_on_the_picture(
    make: Callable[..., Sandboxed], starving: Callable[..., AbstractContextManager[list[int]]], form: str
) -> None:
    sandboxed = make()
    data = saved(form, 2000, 1500)
    with starving(sandboxed, 2 << 20) as starved, pytest.raises(MockupError, match="out of memory") as caught:
        decoded(sandboxed, data)
    assert len(set(starved)) == DECODE_ATTEMPTS
    assert caught.value.code is Code.SERVER_BUSY
    with starving(sandboxed, 2 << 20, times=1):
        assert decoded(sandboxed, data).shape == (1500, 2000, 3), "a fresh process may have more room"


def test_a_picture_that_takes_more_than_any_other_is_refused(
    make: Callable[..., Sandboxed],
    starving: Callable[..., AbstractContextManager[list[int]]],
) -> None:
    data = cv2.imencode(".png", np.zeros((1500, 2000, 3), np.uint8))[1].tobytes()
    # The header claims a small picture, so little memory is set aside for it.
    head = replace(header.read(data), width=20, height=15)
    sandboxed = make()
    with starving(sandboxed, 4 << 20), pytest.raises(MockupError) as caught:
        sandboxed.decode(data, head, None, Clock(60))
    assert caught.value.code is Code.INVALID_REQUEST


def test_a_small_limit_of_pixels_leaves_room_for_the_file(make: Callable[..., Sandboxed]) -> None:
    data = saved()
    text = b"zzZz" + bytes(14_000_000)
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
    assert decoded(make(max_pixels=10_000), data[:33] + chunk + data[33:]).shape == (30, 40, 3)


def test_a_stopped_process_is_killed_at_the_deadline(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make()
    decoded(sandboxed, saved())
    pid = the_only(sandboxed)
    assert stop(pid)
    with pytest.raises(MockupError) as caught:
        decoded(sandboxed, saved(), Clock(0.3))
    assert caught.value.code is Code.RENDER_TIMEOUT
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)
    until(lambda: pid not in children(fork_server(sandboxed)))


def test_a_process_stopped_before_its_work_costs_nothing_but_time(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make()
    decoded(sandboxed, saved())
    pid = the_only(sandboxed)
    assert stop(pid)
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)
    until(lambda: pid not in children(fork_server(sandboxed)))


def test_processes_that_never_take_a_picture_end_its_wait(
    make: Callable[..., Sandboxed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_received", lambda *_: None)
    sandboxed = make()
    with pytest.raises(MockupError) as caught:
        decoded(sandboxed, saved())
    assert caught.value.code is Code.RENDER_FAILED
    until(lambda: not children(fork_server(sandboxed)))


def test_a_picture_that_takes_too_long_is_refused(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make(seconds=0.02)
    with pytest.raises(MockupError, match="could not be decoded: it takes longer"):
        decoded(sandboxed, slow())
    until(lambda: not children(fork_server(sandboxed)))


def test_a_busy_machine_is_not_blamed_on_the_picture(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make(seconds=2)
    decoded(sandboxed, saved())
    pid = the_only(sandboxed)
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(decoded, sandboxed, slow())
        until(lambda: job.done() or at_work(pid))
        stop(pid)
        time.sleep(2.5)
        send(pid, signal.SIGCONT)
        assert job.result().shape == (5000, 6000, 3)
    assert the_only(sandboxed) == pid


def test_a_caller_who_leaves_frees_the_process(
    make: Callable[..., Sandboxed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TAKE_S", 3600)
    sandboxed = make()
    clock = Watched(60)
    decoded(sandboxed, saved())
    assert stop(the_only(sandboxed))
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(decoded, sandboxed, saved(), clock)
        until(lambda: clock.looked_at)
        clock.cancel()
        with pytest.raises(CancelledError):
            job.result()
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)


def test_processes_are_replaced_after_their_lives(
    make: Callable[..., Sandboxed], caplog: pytest.LogCaptureFixture
) -> None:
    sandboxed = make(lives=2)
    seen = set()
    for _ in range(20):
        assert decoded(sandboxed, saved()).shape == (30, 40, 3)
        seen.update(children(fork_server(sandboxed)))
    assert len(seen) >= 3
    until(lambda: len(children(fork_server(sandboxed))) <= 1)
    assert not caplog.records, "ending after a last picture is no death"


def test_the_fork_server_is_replaced_when_it_dies(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make(apart=True)
    decoded(sandboxed, saved())
    old = fork_server(sandboxed)
    (worker,) = children(old)
    send(old, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{worker}").exists())
    assert decoded(sandboxed, saved()).shape == (30, 40, 3)
    assert fork_server(sandboxed) != old


def test_no_processes_descriptors_or_zombies_are_left(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make(apart=True)
    sandboxed.warm()
    decoded(sandboxed, saved())
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        for pid in children(fork_server(sandboxed)):
            with contextlib.suppress(ProcessLookupError):
                send(pid, signal.SIGKILL)
        decoded(sandboxed, saved())
    sandboxed.warm()
    gc.collect()
    until(lambda: len(children(fork_server(sandboxed))) == 1)
    assert len(os.listdir("/proc/self/fd")) == before
    sandboxed.trim()
    pid = fork_server(sandboxed)
    sandboxed.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(OSError, match="closed"):
        decoded(sandboxed, saved())


def test_a_container_first_process_gets_no_zombies() -> None:
    """A container's first process inherits the zombies that its fork server leaves, and so does a subreaper,
    which the test uses."""
    script = """
import ctypes, os, signal, subprocess, sys
from service.codec.sandbox import messages
from service.processes.forks import ForkServer
from service.system import container
PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
other = subprocess.Popen([sys.executable, "-c", ""])
fork_server = ForkServer(messages.KIND)
for _ in range(2):
    children = [fork_server.fork(messages.KIND, messages.options()) for _ in range(3)]
    for child in children:
        child.handshake()
    os.kill(fork_server.pid, signal.SIGKILL)
    os.waitid(os.P_PID, fork_server.pid, os.WEXITED | os.WNOWAIT)
    fork_server.renew()
    for child in children:
        child.kill()
fork_server.close()
assert other.wait() == 0, "others' children are left alone"
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("none")
"""
    left = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (left.stdout, left.stderr) == ("none\n", "")


def test_all_processes_die_with_the_server() -> None:
    script = (
        "import sys, time; from service.codec.sandbox.client import Sandboxed; s = Sandboxed(); s.warm(); "
        "print(s.forks.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        family = [pid, *children(pid)]
        assert len(family) == 2
        server.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def test_no_environment_variable_reaches_the_processes(
    make: Callable[..., Sandboxed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOCKUP_KEY_SECRET", "not for decoders")
    sandboxed = make(apart=True)
    sandboxed.warm()
    environment = Path(f"/proc/{fork_server(sandboxed)}/environ").read_bytes()
    assert b"not for decoders" not in environment


def test_decoders_are_confined(make: Callable[..., Sandboxed]) -> None:
    sandboxed = make()
    decoded(sandboxed, saved())
    pid = the_only(sandboxed)
    threads = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status")]
    assert len(threads) == min(2, CPUS)
    for thread in threads:
        assert re.search(r"NoNewPrivs:\t1", thread)
        assert re.search(r"Seccomp:\t2", thread)
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert re.search(r"Max core file size +0 +0", limits)
    assert re.search(r"Max open files +16 +16", limits)
    assert not re.search(r"Max address space +unlimited", limits)
    assert not re.search(r"Max cpu time +unlimited", limits)
