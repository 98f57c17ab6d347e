"""The console script, in a process of its own or in this one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from service import cli
from tests.support import ready
from tests.support.waiting import PATIENCE_S

COMMAND = (sys.executable, "-m", "service")


def begun(**variables: str) -> dict[str, str]:
    """The environment in which a process of `ready.COMMAND` begins with everything loaded."""
    return {**os.environ, ready.LOADED: ready.loaded(), **variables}


def run(*arguments: str, text: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a separate process that begins with everything loaded; returns its output and exit code."""
    return subprocess.run(
        [*ready.COMMAND, *arguments],
        capture_output=True,
        text=True,
        input=text,
        check=False,
        timeout=PATIENCE_S,
        env=begun(**{"COLUMNS": "100", **variables}),
    )


class Mockup:
    """Calls `main` in this process, which takes less time than starting another interpreter."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.err = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """The output on stdout. If the command should fail, its output on stderr, after checking that stdout
        is empty."""
        out = self.printed(*arguments, code=code)
        if code:
            assert out == ""
        return self.err if code else out

    def printed(self, *arguments: str, code: int = 0) -> str:
        """The output on stdout, even if the command should fail; `err` keeps its output on stderr."""
        with pytest.raises(SystemExit) as left:
            cli.main(list(arguments))
        out, self.err = self._capsys.readouterr()
        assert (left.value.code or 0) == code, self.err
        return out
