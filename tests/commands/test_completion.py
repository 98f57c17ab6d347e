"""Shells complete commands, devices and settings."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support import ready
from tests.support.waiting import until

pytestmark = pytest.mark.long
SCRIPT = Path(sys.executable).with_name("mockup")
CASES = [
    ("mockup env", "environments"),
    ("mockup render --device iphone-16-pr", "iphone-16-pro"),
    ("mockup render --set deviceTransform.rot", "deviceTransform.rotation"),
]
# All shells ask the same command for what it offers, and differ in how they cut a line into words. So `make
# test` tries all cases with bash, and with the others the one whose word has a dot.
OTHERS = [*(pytest.param(*case, marks=pytest.mark.thorough) for case in CASES[:-1]), CASES[-1]]
# A start-up file of zsh that loads the completions and binds a key to writing the current line to a file.
ZSH = """\
autoload -Uz compinit; compinit -D
source {script}
written() {{ print -r -- $BUFFER >{file}.part; mv {file}.part {file} }}
zle -N written
bindkey '^X' written
"""


@pytest.fixture(autouse=True)
def on_the_path(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `mockup` for the shells to call, which begins with everything loaded."""
    for name, value in ready.program(tmp_path_factory.mktemp("bin")).items():
        monkeypatch.setenv(name, value)


@cache
def printed(shell: str) -> str:
    """The output of the installed command for a shell."""
    asked = {**os.environ, "_MOCKUP_COMPLETE": f"source_{shell}"}
    return subprocess.check_output([SCRIPT], env=asked, text=True)


def source(shell: str, place: Path) -> Path:
    """The script that the command prints for a shell."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (place / "script").write_text(printed(shell))
    return place / "script"


@pytest.mark.parametrize(("line", "offered"), CASES)
def test_bash_completes(place: Path, line: str, offered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first case asks the installed command, the others the one that begins with everything loaded."""
    if (line, offered) == CASES[0]:
        monkeypatch.setenv("PATH", f"{SCRIPT.parent}:{os.environ['PATH']}")
    words = line.split(" ")
    asked = (
        f"source {source('bash', place)}\nCOMP_WORDS=({line})\n"
        f"COMP_CWORD={len(words) - 1}\n_mockup_completion mockup\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    found = subprocess.check_output(["bash", "-c", asked], text=True).split()
    assert any(one.startswith(offered) for one in found), found


@pytest.mark.parametrize(("line", "offered"), OTHERS)
def test_fish_completes(place: Path, line: str, offered: str) -> None:
    asked = f"source {source('fish', place)}; complete -C '{line}'"
    found = subprocess.check_output(["fish", "--no-config", "-c", asked], text=True).split()
    assert any(one.startswith(offered) for one in found), found


@pytest.mark.parametrize(("line", "offered"), OTHERS)
def test_zsh_completes(place: Path, line: str, offered: str) -> None:
    """zsh runs in a terminal, and the test presses its ordinary keys."""
    (place / ".zshrc").write_text(ZSH.format(script=source("zsh", place), file=place / "line"))
    ours, theirs = pty.openpty()
    environment = {**os.environ, "ZDOTDIR": str(place), "TERM": "dumb"}
    with subprocess.Popen(
        ["zsh", "-d", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    ) as shell:
        try:
            os.write(ours, f"{line}\t\x18".encode())
            until((place / "line").exists, "zsh")
        finally:
            shell.kill()
            os.close(theirs)
            os.close(ours)
    completed = (place / "line").read_text()
    assert completed.split()[-1].startswith(offered), completed
