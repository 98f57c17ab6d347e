"""The renderer's constants state their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RENDER = ROOT / "service" / "render"
ROOMS = "light", "paint", "passes"
#: The phrases that `docs/rendering.md` explains, and papers.
SOURCES = (
    "by construction",
    "by cost",
    "by eye",
    "a guard",
    "fitted to the references",
    "fitted to the integral",
    "(2008)",
)


def constants(path: Path) -> Iterator[tuple[str, str]]:
    """The module's numbers by name, with the comment beside or above each."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Constant) and isinstance(one.value, int | float)
            for one in ast.walk(node.value)
        ):
            names = [one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)]
            if not names[0].isupper() or names[0].startswith("_"):
                continue
            start, end = node.lineno - 1, node.end_lineno or node.lineno
            while lines[start - 1].startswith("#"):
                start -= 1
            above = [line.lstrip("# :") for line in lines[start : node.lineno - 1]]
            yield names[0], " ".join(above) or lines[end - 1].rpartition("# ")[2]


@pytest.mark.parametrize("room", ROOMS)
def test_constants_state_their_source(room: str) -> None:
    silent = [
        f"{path.name}: {name}"
        for path in sorted((RENDER / room).glob("*.py"))
        for name, said in constants(path)
        if not any(said.rstrip(".").endswith(source) for source in SOURCES)
    ]
    assert not silent


def test_the_page_explains_where_numbers_come_from() -> None:
    page = (ROOT / "docs" / "rendering.md").read_text(encoding="utf-8")
    assert all(f"`{source}`" in page for source in SOURCES if not source.startswith("("))
