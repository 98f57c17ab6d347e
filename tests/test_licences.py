"""The licences' texts are exact, and are part of the package."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Only tests use the files with these licences.
TESTS = {"MPL-2.0"}
# These are the plain texts that the Apache Software Foundation, Creative Commons, Mozilla and SPDX publish.
TEXTS = {
    "Apache-2.0": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
    "CC0-1.0": "a2010f343487d3f7618affe54f789f5487602331c0a8d03f49e9a7c547cf0499",
    "MIT": "b85dcd3e453d05982552c52b5fc9e0bdd6d23c6f8e844b984a88af32570b0cc0",
    "MPL-2.0": "fab3dd6bdab226f1c08630b1dd917e11fcb4ec5e1e020e2c16f83a0a13863e85",
    "OFL-1.1": "8eea8287e5876b539670cadb82e99f9a7afddec6f6730811be1daf25d2e9bcfd",
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_texts_are_word_for_word(name: str) -> None:
    text = (ROOT / "LICENSES" / f"{name}.txt").read_bytes()
    assert hashlib.sha256(text).hexdigest() == TEXTS[name]
    assert f"LICENSES/{name}.txt" in (ROOT / "NOTICE").read_text("utf-8")


def test_the_licence_of_the_code_is_at_its_usual_place() -> None:
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "LICENSES" / "Apache-2.0.txt").read_bytes()
    assert set(PROJECT["license"].split(" AND ")) == TEXTS.keys() - TESTS
    files = {path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)}
    texts = {f"{name}.txt" for name in TEXTS.keys() - TESTS}
    assert {path.name for path in files} == {"LICENSE", "NOTICE"} | texts


def test_every_file_has_an_existing_licence() -> None:
    """`reuse lint` checks every file by rules; this test checks the rules."""
    told = tomllib.loads((ROOT / "REUSE.toml").read_text("utf-8"))["annotations"]
    assert {one["SPDX-License-Identifier"] for one in told} == TEXTS.keys()
    assert told[0]["path"] == "**"
    for one in told:
        paths = [one["path"]] if isinstance(one["path"], str) else one["path"]
        assert all(any(ROOT.glob(path)) for path in paths), one


def test_the_packages_are_typed() -> None:
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert all((ROOT / name / "py.typed").exists() for name in ("service", "frames"))
