"""Judges of faults: each has a copy of the tree, and runs tests in forks of a process that is loaded."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import astuple, dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

# No module that loads the service: the forks load it, with the fault.
from benchmarks.mutants import ROOT

if TYPE_CHECKING:
    import pytest

# Large, and read by no test of a file.
LEFT_OUT = "benchmarks/references/"
OURS = {"service", "tests", "benchmarks", "frames"}
# Modules that take long to load and get no faults.
LOADED = (
    "numpy", "cv2", "PIL.Image", "PIL.ImageCms", "isal.isal_zlib", "pytest", "hypothesis",
    "pydantic", "pydantic_settings", "starlette.applications", "aiohttp", "sqlalchemy", "structlog",
    "cachetools", "orjson", "typer", "prometheus_client", "pybase64", "anyio", "_pytest.assertion",
    "_pytest.doctest", "_pytest.terminal", "pytest_timeout", "xdist.plugin",
)  # fmt: skip
OPTIONS = (
    "-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-m", "not thorough and not alone",
)  # fmt: skip
# Compiled files, which are built before a fault in them is tested.
COMPILED = ("render/kernels/", "codec/formats/png/unfilter.py")
# The compiler of faults. Optimizing takes minutes, and changes no result. A fault changes one source, so the
# objects of all others are kept.
QUICK_CC = """#!/bin/bash
set -e
set -- "${@/#-O3/-O0}"
for one; do case $one in *.c) source=$one ;; *.o) object=$one ;; esac; done
[ "$source" ] || exec cc "$@"
kept=build/objects/$(sha256sum < "$source" | cut -c -64).o
if [ ! -e "$kept" ]; then
    cc "$@"
    mkdir -p build/objects
    cp "$object" "$kept"
fi
exec cp "$kept" "$object"
"""
CAUGHT, MISSED, LATE, UNJUDGED = "caught", "missed", "timed out", "not judged"
# Seconds of processor time that a process may spend in one test; the longest test needs about ten.
TEST_S = 60
# Tests count as hanging after IDLE_S seconds in which their processes have run, or waited for a processor,
# for at most STIR_S seconds, which a server needs for its timers.
IDLE_S, STIR_S = 60, 1.0
# Seconds between two looks at the processes.
LOOK_S = 5


@dataclass(frozen=True)
class Verdict:
    """The outcome of running tests.

    `CAUGHT` when one failed, `MISSED` when none did, `LATE` when one did not end, `UNJUDGED` when the one
    that failed also fails without the fault.
    """

    result: str
    seconds: float  # of processor time
    output: str
    failed: str = ""  # the test that failed or crashed, unless the tests could not be loaded


class Judge:
    """A copy of the tree and a process that runs tests in it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mutants-")
        self.tree = Path(self._folder.name)
        for file in _files():
            copy = self.tree / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, copy)
        # Validate by the sources' hash, because faults change faster than the resolution of a file's time.
        command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "service"]
        subprocess.run(command, cwd=self.tree, check=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.mutants.judge"],
            cwd=self.tree,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self.tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def verdict(self, file: str, source: str, tests: tuple[str, ...]) -> Verdict:
        """The verdict of `tests` when the service's `file` has the text `source`."""
        path = self.tree / "service" / file
        libraries = (self.tree / "service").rglob("*.so")
        kept = {one: one.read_bytes() for one in (path, *libraries)}
        path.write_text(source)
        try:
            if file.startswith(COMPILED) and path.name != "__init__.py" and (told := self._unbuilt()):
                return Verdict(CAUGHT, 0.0, told)
            verdict = self._run([f"tests/{test}" for test in tests])
        finally:
            for one, content in kept.items():
                one.unlink()  # a process may still have a library's old file in its memory
                one.write_bytes(content)
        if verdict.result != CAUGHT:
            return verdict
        # A test may fail because the machine is busy, so it has to pass without the fault.
        intact = self._run([verdict.failed] if verdict.failed else ["--collect-only", f"tests/{tests[0]}"])
        if intact.result != MISSED:
            return Verdict(UNJUDGED, verdict.seconds + intact.seconds, intact.output, verdict.failed)
        return verdict

    def _run(self, tests: list[str]) -> Verdict:
        """The verdict of `tests` on the copy as it is."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(tests) + "\n")
        self._process.stdin.flush()
        return Verdict(*json.loads(self._process.stdout.readline()))

    def _unbuilt(self) -> str:
        """Build the compiled files; returns the compiler's message if that fails."""
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        compiler = self.tree / "build" / "quick-cc"
        compiler.parent.mkdir(exist_ok=True)
        compiler.write_text(QUICK_CC)
        compiler.chmod(0o755)
        environment = os.environ | {"CC": str(compiler)}
        done = subprocess.run(
            command, cwd=self.tree, env=environment, capture_output=True, text=True, check=False
        )
        return done.stderr[-4000:] if done.returncode else ""


def _files() -> list[Path]:
    """The files that tests and builds may need, relative to the root: the tracked ones, the compiled
    libraries, and the kernels in C."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = [Path(name) for name in listed.stdout.split("\0") if name and not name.startswith(LEFT_OUT)]
    built = *(ROOT / "service").rglob("*.so"), *(ROOT / "build" / "kernels").rglob("*.c")
    return tracked + [file.relative_to(ROOT) for file in built]


def run(tests: list[str], idle: float = IDLE_S) -> Verdict:
    """Run tests in a fork, which is ended together with all processes that it started.

    No limit is one of wall time, so that other work on the machine does not decide about faults: tests are
    late when one uses `TEST_S` of processor time, or when nothing happens for `idle` seconds.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as failed:
        child = os.fork()
        if not child:
            _fork(tests, output.fileno(), failed.fileno())
        descriptor = os.pidfd_open(child)
        ended, active, since = False, 0.0, time.monotonic()
        while not ended and time.monotonic() - since < idle:
            ended = bool(select.select([descriptor], [], [], min(LOOK_S, idle))[0])
            if abs((now := _activity(child)) - active) > STIR_S:
                active, since = now, time.monotonic()
        # The process group exists until its first process is waited for.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
        os.close(descriptor)
        output.seek(0)
        failed.seek(0)
        code = os.waitstatus_to_exitcode(status)
        late = not ended or code == -signal.SIGXCPU
        result = LATE if late else MISSED if code == 0 else CAUGHT
        return Verdict(result, used.ru_utime + used.ru_stime, output.read()[-4000:], failed.read())


def _activity(process: int) -> float:
    """Seconds in which a process and its descendants have used, or waited for, a processor."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    family, nanoseconds = {process}, 0
    for _ in parents:
        if not (grown := {one for one, parent in parents.items() if parent in family} - family):
            break
        family |= grown
    for one in family:
        for task in Path(f"/proc/{one}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                nanoseconds += sum(map(int, task.read_text().split()[:2]))
    return nanoseconds / 1e9


class _Watch:
    """A plugin of pytest: limits the processor time of each test, and tells which one fails.

    A test that crashes reports nothing, so the file `failed` has the name of a test from its start on.
    """

    def __init__(self, failed: int) -> None:
        self._failed = failed
        self._passed = True

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        os.ftruncate(self._failed, 0)
        os.pwrite(self._failed, nodeid.encode(), 0)
        spent, (_, most) = time.process_time(), resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + TEST_S, most))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._passed = self._passed and not report.failed

    def pytest_runtest_logfinish(self) -> None:
        if self._passed:
            os.ftruncate(self._failed, 0)


def _fork(tests: list[str], output: int, failed: int) -> None:
    """Run tests in this process and end it."""
    os.setpgid(0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    for name in list(sys.modules):
        if name.partition(".")[0] in OURS:
            del sys.modules[name]
    code = 1
    try:
        import pytest

        code = pytest.main([*OPTIONS, *tests], plugins=[_Watch(failed)])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(code))


def main() -> None:
    """Judge the faults that arrive on stdin, one per line."""
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(astuple(run(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
