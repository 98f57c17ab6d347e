"""The load benchmark counts correctly: the memory of whole process trees, only successful responses, and the
time for which the event loop is blocked."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from urllib.request import Request, urlopen

import pytest

from benchmarks.speed import poses, traffic, watched
from benchmarks.speed.memory import Peak, pss_mb
from benchmarks.speed.server import Served, serving
from benchmarks.speed.trees import ROOT, serving_tree
from tests.support import pictures
from tests.support.processes import tree
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.long

CHILD = "kept = bytearray(b'x' * 50_000_000); print('ready', flush=True); sys.stdin.read()"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import sys; ' + sys.argv[1]])"


@pytest.mark.alone
def test_memory_of_descendants_is_counted_and_its_peak_seen() -> None:
    command = [sys.executable, "-c", PARENT, CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        with Peak(parent.pid, every_s=0.01) as peak:
            assert parent.stdout.readline() == b"ready\n"
            assert len(tree(parent.pid)) == 2
            assert 50 < pss_mb(parent.pid) < 150
            until(lambda: peak.mb > 50)
            parent.stdin.close()
            parent.wait()
    assert 50 < peak.mb < 150
    assert tree(parent.pid) == []
    assert pss_mb(parent.pid) == 0


def test_refused_answers_are_not_renders() -> None:
    figures = {"requests": 30, "us": 2_000_000, "refused": 10, "errors": 1}
    figures |= {"p50": 50_000, "p95": 90_000, "p99": 99_000}
    seen = traffic.parsed(4, figures)
    assert seen == traffic.Traffic(4, 10.0, 50.0, 90.0, 99.0, 10, 1)


@pytest.mark.alone
def test_a_blocked_loop_is_distinguished_from_a_waiting_one() -> None:
    async def both() -> tuple[list[float], list[float]]:
        late: list[float] = []
        held: list[float] = []
        task = asyncio.create_task(watched.watch(late, held))
        await asyncio.sleep(0.02)
        time.sleep(0.1)  # noqa: ASYNC251 (held without a processor)
        await asyncio.sleep(0.02)
        waited = max(held)
        until = time.thread_time() + 0.1
        while time.thread_time() < until:
            pass
        await asyncio.sleep(0.02)
        task.cancel()
        return [max(late)], [waited, max(held)]

    (late,), (waited, held) = asyncio.run(both())
    assert late > 90
    assert held > 90
    assert waited < 90


@pytest.mark.skipif(traffic.absent() is not None, reason="wrk is not installed")
def test_callers_are_different_users_and_get_pictures(tmp_path: Path) -> None:
    small = {"canvas": {"width": 64, "height": 64}, "export": {"format": "jpeg"}}
    shot = {"type": "base64", "src": pictures.text()}
    body = json.dumps({"type": "screenshot", "screenshot": shot, "settings": small}).encode()
    with serving(16) as served:
        assert len(set(served.keys)) == 16
        _draw(served, body)
        seen = traffic.send(served.address, body, served.keys, 16, 1)
        while not seen.rate:
            # No picture was finished within the second, because other tests took the processors.
            seen = traffic.send(served.address, body, served.keys, 16, 1)
        # Requests of a single user wait for each other.
        alone = traffic.send(served.address, body, served.keys[:1], 16, 1)
        loop = served.loop()
    assert (seen.refused, seen.errors) == (0, 0)
    assert seen.rate > 0
    assert seen.p50 <= seen.p95 <= seen.p99
    assert (alone.refused, alone.errors) == (0, 0)
    assert set(loop) == {"late", "held"}
    assert loop["late"]["max"] > 0


def _draw(served: Served, body: bytes) -> None:
    """Draw the plate, which takes longer than the second in which pictures are counted."""
    headers = {"Authorization": f"Bearer {served.keys[0]}", "Content-Type": "application/json"}
    with urlopen(Request(f"{served.address}/api/v1/mockup", body, headers), timeout=PATIENCE_S) as answer:
        assert answer.status == 200


def _revision(folder: Path, server: str) -> None:
    """Write a tree that has only the files needed for serving."""
    package = folder / "benchmarks" / "speed"
    package.mkdir(parents=True)
    for inner in (package.parent, package):
        (inner / "__init__.py").touch()
    (package / "server.py").write_text(dedent(server))


def test_a_revision_serves_by_its_own_benchmark(tmp_path: Path) -> None:
    own = """
        from contextlib import contextmanager
        from types import SimpleNamespace

        @contextmanager
        def serving(users, watched):
            keys = [f"key {number}" for number in range(users)]
            yield SimpleNamespace(address="http://old", keys=keys, pid=1, ready_s=0.5, watch="there")
    """
    _revision(tmp_path, own)
    with serving_tree(tmp_path, 2) as served:
        assert (served.address, served.keys, served.pid) == ("http://old", ["key 0", "key 1"], 1)


@pytest.mark.thorough
def test_poses_are_timed_by_the_server_that_paints_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poses, "DEVICES", {"phone": poses.DEVICES["phone"]})
    monkeypatch.setattr(poses, "POSES", 2)
    ((name, now, *compared),) = poses.measure(ROOT, rounds=1)
    assert (name, len(compared)) == ("phone", 2)
    assert float(now) > 0
    assert all(float(cell) > 0 for cell in compared)
