"""Judges of faults: each has a copy of the tree, and runs tests in forks of a process that is loaded."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.mutants.targets import ROOT

# Large, and read by no test of a file.
LEFT_OUT = "benchmarks/references/"
OURS = {"service", "tests", "benchmarks", "frames"}
# Modules that take long to load and get no faults.
LOADED = (
    "numpy", "cv2", "PIL.Image", "PIL.ImageCms", "isal.isal_zlib", "pytest", "hypothesis",
    "pydantic", "pydantic_settings", "starlette.applications", "aiohttp", "sqlalchemy", "structlog",
    "cachetools", "orjson", "typer",
)  # fmt: skip
OPTIONS = (
    "-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-m", "not thorough and not alone",
)  # fmt: skip
# Compiled files, which are built before a fault in them is tested.
COMPILED = ("render/kernels/", "codec/formats/png/unfilter.py")
CAUGHT, MISSED, LATE = "caught", "missed", "timed out"


@dataclass(frozen=True)
class Verdict:
    """The outcome of running tests: `CAUGHT` when one failed, `MISSED` when none did, or `LATE`."""

    result: str
    seconds: float
    output: str


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
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()

    def verdict(self, file: str, source: str, tests: tuple[str, ...], seconds: float) -> Verdict:
        """The verdict of `tests` when the service's `file` has the text `source`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        path = self.tree / "service" / file
        kept = path.read_text()
        path.write_text(source)
        libraries = {one: one.read_bytes() for one in path.parent.glob("*.so")}
        try:
            if file.startswith(COMPILED) and (told := self._unbuilt()):
                return Verdict(CAUGHT, 0.0, told)
            self._process.stdin.write(json.dumps([[f"tests/{test}" for test in tests], seconds]) + "\n")
            self._process.stdin.flush()
            return Verdict(*json.loads(self._process.stdout.readline()))
        finally:
            path.write_text(kept)
            for library, code in libraries.items():
                library.write_bytes(code)

    def _unbuilt(self) -> str:
        """Build the compiled files; returns the compiler's message if that fails."""
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", "--force"]
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        return done.stderr[-4000:] if done.returncode else ""


def _files() -> list[Path]:
    """The files that tests may need, relative to the root: the tracked ones and the compiled libraries."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = [Path(name) for name in listed.stdout.split("\0") if name and not name.startswith(LEFT_OUT)]
    return tracked + [library.relative_to(ROOT) for library in (ROOT / "service").rglob("*.so")]


def run(tests: list[str], seconds: float) -> Verdict:
    """Run tests in a fork, which is ended together with all processes that it started.

    The time in which the fork waits for a processor does not count, so that other work on the machine does
    not decide about faults.
    """
    begun, spent, ready = time.monotonic(), 0.0, False
    with tempfile.TemporaryFile("w+") as output:
        child = os.fork()
        if not child:
            _fork(tests, output.fileno())
        descriptor = os.pidfd_open(child)
        while not ready and spent < seconds:
            ready = bool(select.select([descriptor], [], [], seconds - spent)[0])
            spent = time.monotonic() - begun - _delayed(child)
        # The process group exists until its first process is waited for.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(descriptor)
        output.seek(0)
        code = os.waitstatus_to_exitcode(status)
        result = LATE if not ready else MISSED if code == 0 else CAUGHT
        return Verdict(result, spent, output.read()[-4000:])


def _delayed(process: int) -> float:
    """Seconds that a process has waited for a processor; 0 if the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def _fork(tests: list[str], output: int) -> None:
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

        code = pytest.main([*OPTIONS, *tests])
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
        tests, seconds = json.loads(line)
        verdict = run(tests, seconds)
        print(json.dumps([verdict.result, verdict.seconds, verdict.output]), flush=True)


if __name__ == "__main__":
    main()
