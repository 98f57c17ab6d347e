"""The house rules: who may look into which room, and who knows of pixels, read from the imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parent.parent / "service"
PIXELS = {"numpy", "cv2", "PIL", "scipy", "isal"}

# A module not named here belongs to the ground: it is below every room and looks into none.
GROUND = "ground"
ROOMS = {
    "render": set[str](),
    "codec": set[str](),
    "sources": set[str](),
    "accounts": set[str](),
    "admission": set[str](),
    "plates": {"render"},
    "studio": {"render", "codec", "plates"},
    "renderers": {"admission", "render", "codec", "plates", "studio"},
    "footprint": {"codec"},
    "api": {"footprint", "renderers", "admission", "sources", "accounts"},
}
# The composition root and what starts it.
TOP = {"app", "http", "cli", "commands", "__main__"}
# What each kind of pixel library is for: everybody else goes without.
WITH_PIXELS = {"render", "codec", "studio"} | TOP


def modules() -> list[Path]:
    return sorted(HOUSE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(HOUSE).parts[0].removesuffix(".py")
    return first if first in ROOMS or first in TOP else GROUND


def imported(path: Path) -> Iterator[str]:
    """Dotted names of what a file imports, wherever in the file."""
    return names(path.read_text(encoding="utf-8"), ["service", *path.relative_to(HOUSE).parts[:-1]])


def names(source: str, package: list[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def entered(name: str) -> str | None:
    """The room that a dotted name leads into, None when it is not of this house."""
    parts = name.split(".")
    if parts[0] != "service" or len(parts) < 2:
        return None
    return room(HOUSE / f"{parts[1]}.py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_go_down(path: Path) -> None:
    own = room(path)
    if own in TOP:
        return
    allowed = {own, GROUND, None} | ROOMS.get(own, set())
    wrong = {name for name in imported(path) if entered(name) not in allowed}
    assert not wrong, f"{path.relative_to(HOUSE)} of room '{own}' looks into {sorted(wrong)}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(HOUSE)))
def test_pixels_stay_in_their_rooms(path: Path) -> None:
    own = room(path)
    libraries = {name.partition(".")[0] for name in imported(path)}
    if own not in WITH_PIXELS:
        assert not libraries & PIXELS
    if own == "render":
        assert "PIL" not in libraries


def test_only_the_root_builds_things() -> None:
    """Nobody imports the composition root but what starts it."""
    users = {path.stem for path in modules() if any(entered(name) in TOP for name in imported(path))}
    starters = {path.stem for path in modules() if room(path) in TOP}
    assert users <= starters


def test_the_rules_see_through_every_form_of_import() -> None:
    source = (
        "import numpy.linalg as la\nfrom . import answers\nfrom ..render import tone\ndef f(): import cv2"
    )
    found = set(names(source, ["service", "api"]))
    assert found == {"numpy.linalg", "service.api.answers", "service.render.tone", "cv2"}
