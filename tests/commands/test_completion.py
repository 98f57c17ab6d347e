"""Shells complete commands, devices and settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
SCRIPT = Path(sys.executable).with_name("mockup")


def completed(line: str, place: Path) -> list[str]:
    """What bash offers after a line, by the script that the command prints."""
    source = subprocess.run(
        [SCRIPT],
        env={**os.environ, "_MOCKUP_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    words = line.split(" ")
    asked = (
        f'{source}\nPATH="{SCRIPT.parent}:$PATH"\nCOMP_WORDS=({line})\n'
        f"COMP_CWORD={len(words) - 1}\n_mockup_completion mockup\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    found = subprocess.run(["bash", "-c", asked], cwd=place, capture_output=True, text=True, check=True)
    return found.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("mockup env", "environments"),
        ("mockup render --device iphone-16-pr", "iphone-16-pro"),
        ("mockup render --set deviceTransform.rot", "deviceTransform.rotationY="),
    ],
)
def test_bash_completes(place: Path, line: str, offered: str) -> None:
    assert offered in completed(line, place)
