"""The console script, in a process of its own or in this one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from service import cli

COMMAND = (sys.executable, "-m", "service")


def run(*arguments: str, text: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a process of its own printed, and its exit code."""
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        input=text,
        env={**os.environ, "COLUMNS": "100", **variables},
        check=False,
    )


class Mockup:
    """Calls `main` in this process, which saves the start of another interpreter."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """What was printed on stdout, or on stderr when the command had to fail."""
        with pytest.raises(SystemExit) as left:
            cli.main(list(arguments))
        out, err = self._capsys.readouterr()
        assert (left.value.code or 0) == code, err
        if code:
            assert out == ""
        return err if code else out
