"""Texts for agents, generated from the pages: an index, and all pages in one file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INDEX, SKILL = ROOT / "llms.txt", ROOT / "docs" / "skill" / "SKILL.md"
# Pages for those who run or change the service.
_OPTIONAL = (
    *("rendering", "configuration", "operations", "scaling", "security"),
    *("benchmarks", "architecture", "CHANGELOG"),
)
_ENTRY = re.compile(r"^- .*?\]\((\S+?)\).*(?:\n  .*)*", re.MULTILINE)


def index() -> str:
    """`llms.txt`: what the service is, and the pages that the README lists."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    summary = next(part for part in readme.split("\n\n") if part[:1].isalpha()).replace("\n", " ")
    listed = readme.partition("## Read on")[2].partition("\n## ")[0]
    entries = [(found[1], found[0].replace("\n ", "")) for found in _ENTRY.finditer(listed)]
    first = [line for path, line in entries if Path(path).stem not in _OPTIONAL]
    rest = [line for path, line in entries if Path(path).stem in _OPTIONAL]
    skill = f"- [Skill]({SKILL.relative_to(ROOT)}): how an agent uses the command"
    lines = ["# Mockup", "", f"> {summary}", "", "## Docs", "", skill, *first, "", "## Optional", "", *rest]
    return "\n".join(lines) + "\n"


def whole() -> str:
    """`llms-full.txt`: the README, the skill and every page, one after the other."""
    paths = [ROOT / "README.md", SKILL, *sorted((ROOT / "docs").glob("*.md"))]
    return "\n".join(
        f"<!-- {path.relative_to(ROOT)} -->\n\n{path.read_text(encoding='utf-8')}" for path in paths
    )
