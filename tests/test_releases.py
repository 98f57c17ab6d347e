"""The changelog agrees with the version, and CI runs the same checks as the Makefile."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_changelog_has_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert PROJECT["version"] in headings or f"This will be version {PROJECT['version']}." in text


def test_ci_runs_the_same_checks() -> None:
    for file in (".github/workflows/test.yml", ".gitlab-ci.yml", ".ci/run"):
        assert re.search(r"\bmake test\b", (ROOT / file).read_text("utf-8")), file
