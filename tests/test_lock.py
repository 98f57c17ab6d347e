"""Installed packages are pinned by version and hash, in agreement with `pyproject.toml`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = DECLARED["project"]
SIMD = DECLARED["dependency-groups"]["simd"]
# The set-up installs pillow-simd in place of Pillow.
SERVICE = [one for one in PROJECT["dependencies"] if not one.startswith("pillow==")] + SIMD
WANTED = {"service": SERVICE, **PROJECT["optional-dependencies"]}
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
ENTRY = re.compile(r"([a-z0-9-]+)==(\S+)( ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def pins(lock: Path) -> dict[str, str]:
    """The version of each package in a file, after checking that the file contains nothing else."""
    text = "".join(line for line in lock.read_text("utf-8").splitlines(True) if not line.startswith("#"))
    assert ENTRY.sub("", text) == "", "every line belongs to a pinned package with its hashes"
    return {match[1]: match[2] for match in ENTRY.finditer(text)}


def test_there_is_a_lock_for_everything() -> None:
    assert {lock.stem for lock in LOCKS} == {*WANTED, "build", "lock"}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_pin_has_hashes_and_none_is_pillow(lock: Path) -> None:
    found = pins(lock)
    assert found
    assert "pillow" not in found
    service = pins(ROOT / "requirements" / "service.txt")
    assert {name: found[name] for name in found.keys() & service.keys()} == {
        name: service[name] for name in found.keys() & service.keys()
    }


def test_files_that_are_installed_together_agree() -> None:
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("group", WANTED)
def test_the_lock_has_the_required_packages(group: str) -> None:
    found = pins(ROOT / "requirements" / f"{group}.txt")
    asked = dict(re.fullmatch(r"([\w-]+)(?:\[\w+\])?==(\S+)", text).groups() for text in WANTED[group])  # type: ignore[union-attr, misc]
    assert {name: found.get(name) for name in asked} == asked, "make lock puts it right"


def test_packages_have_the_pillow_that_the_set_up_builds() -> None:
    [pillow] = [one for one in PROJECT["dependencies"] if one.startswith("pillow==")]
    assert [f"{pillow.replace('pillow', 'pillow-simd')}.post0"] == SIMD


def test_the_set_up_insists_on_hashes() -> None:
    """Packages are downloaded and verified by hash, or are in a folder and have no dependencies."""
    script = (ROOT / "setup" / "install.sh").read_text("utf-8").replace("\\\n", "")
    lines = map(str.strip, script.splitlines())
    commands = [line for line in lines if re.search(r"pip (install|download)|pip_install .", line)]
    assert len(commands) == 5, commands
    for command in commands[1:]:
        assert "--require-hashes" in command or "--no-deps" in command
    assert sum("--require-hashes" in command for command in commands) == 2


def test_the_set_up_works_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "setup").mkdir()
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(ROOT / "setup" / "install.sh", tmp_path / "setup")
    done = subprocess.run(
        ["../setup/install.sh"],
        cwd=tmp_path / "elsewhere",
        env={"PATH": os.environ["PATH"], "PYTHON": "no-such-python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no-such-python is not installed" in done.stderr
