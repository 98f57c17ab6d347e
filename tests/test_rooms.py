"""The architecture's rules, checked by imports: which package may import which, and use pixels."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent / "service"
PIXELS = {"numpy", "cv2", "PIL", "pillow_avif", "scipy", "isal"}

# The packages, from the lowest layer up. A package may import only packages above it in this list, and of
# those only the ones it names. Each module directly in `service/` counts as a package.
ROOMS: dict[str, set[str]] = {
    "version": set(),
    "limits": set(),
    "shipped": set(),
    "arrays": set(),
    "srgb": {"arrays"},
    "errors": set(),
    "secret_files": set(),
    "config_file": set(),
    "plans": set(),
    "config": {"config_file", "limits", "plans", "secret_files"},
    "logs": {"config", "limits"},
    "clock": {"errors"},
    "system": set(),
    "concurrency": {"clock", "errors", "limits", "logs", "system"},
    "processes": set(),
    "validation": {"errors", "limits"},
    "fonts": {"limits", "shipped"},
    "devices": {"concurrency", "shipped", "validation"},
    "settings": {"devices", "errors", "limits", "shipped", "validation"},
    "accounts": {"concurrency", "config", "errors", "limits", "plans", "shipped", "system"},
    "sources": {
        "clock",
        "concurrency",
        "config",
        "devices",
        "errors",
        "limits",
        "settings",
        "shipped",
        "version",
    },
    "render": {
        "arrays",
        "clock",
        "concurrency",
        "devices",
        "fonts",
        "settings",
        "shipped",
        "srgb",
        "validation",
    },
    "codec": {
        "arrays",
        "clock",
        "concurrency",
        "devices",
        "errors",
        "limits",
        "processes",
        "settings",
        "srgb",
        "system",
        "validation",
    },
    "engine": {
        "arrays",
        "clock",
        "codec",
        "devices",
        "errors",
        "fonts",
        "limits",
        "render",
        "settings",
        "system",
        "validation",
    },
    "films": {
        "arrays",
        "clock",
        "codec",
        "devices",
        "engine",
        "errors",
        "limits",
        "processes",
        "render",
        "settings",
        "srgb",
        "system",
        "validation",
    },
    "admission": {
        "clock",
        "codec",
        "concurrency",
        "config",
        "engine",
        "errors",
        "limits",
        "settings",
        "system",
    },
    "workers": {
        "admission",
        "arrays",
        "clock",
        "concurrency",
        "codec",
        "config",
        "devices",
        "engine",
        "errors",
        "limits",
        "processes",
        "render",
        "settings",
        "system",
    },
    "api": {
        "accounts",
        "admission",
        "clock",
        "concurrency",
        "config",
        "devices",
        "engine",
        "errors",
        "films",
        "fonts",
        "limits",
        "logs",
        "processes",
        "settings",
        "shipped",
        "sources",
        "validation",
        "version",
        "workers",
    },
    "http": {"admission", "config", "limits", "logs", "processes"},
}
# The packages and shared modules of `render/`, in the form of `ROOMS`.
RENDER: dict[str, set[str]] = {
    "kernels": set(),
    "memoize": set(),
    "tone": {"kernels"},
    "dither": set(),
    "material": set(),
    "quality": set(),
    "scattered": set(),
    "geometry": {"memoize", "kernels", "material"},
    "light": {"geometry", "memoize", "kernels", "material", "quality", "scattered", "tone"},
    "drawing": {"geometry"},
    "paint": {"drawing", "geometry", "memoize", "kernels", "light", "material", "scattered", "tone"},
    "passes": {"geometry", "kernels", "light", "material", "paint", "quality", "tone"},
    "body": {"geometry", "kernels", "light", "material", "paint", "passes"},
    "assembly": {"body", "geometry", "light", "paint", "tone"},
    "text": {"geometry"},
    "plates": {
        "assembly",
        "body",
        "dither",
        "geometry",
        "kernels",
        "light",
        "material",
        "memoize",
        "paint",
        "quality",
        "tone",
    },
    "effects": {"dither", "geometry", "memoize", "plates"},
    "compose": {"dither", "effects", "geometry", "kernels", "memoize", "paint", "plates", "text"},
}
# The composition root, and the modules that start it.
TOP = {"app", "cli", "commands", "__main__"}
# The only packages and modules that may use pixel libraries.
WITH_PIXELS = {"arrays", "srgb", "render", "codec", "engine", "films"} | TOP


def modules() -> list[Path]:
    return sorted(path for path in HOUSE.rglob("*.py") if path != HOUSE / "__init__.py")


def room(path: Path) -> str:
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


@cache
def imported(path: Path) -> frozenset[str]:
    """Dotted names of everything that a file imports, at the top or within functions."""
    package = ["service", *path.relative_to(HOUSE).parts[:-1]]
    return frozenset(names(path.read_text(encoding="utf-8"), package))


def names(source: str, package: list[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def entered(name: str) -> str | None:
    """The package that a dotted name belongs to; None if it is not part of the service."""
    parts = name.split(".")
    if parts[0] != "service" or len(parts) < 2:
        return None
    # `service/__init__.py` belongs to no package.
    return parts[1] if parts[1] in ROOMS or parts[1] in TOP else None


def test_imports_go_down() -> None:
    wrong = {
        (str(path.relative_to(HOUSE)), name)
        for path in modules()
        if (own := room(path)) not in TOP
        for name in imported(path)
        if entered(name) not in {own, None} | ROOMS[own]
    }
    assert not wrong, f"these look into rooms they may not enter: {sorted(wrong)}"


def test_imports_do_not_name_the_package() -> None:
    # The installed package is called `mockup`, so an import of `service` would find another copy, or none.
    named = {
        str(path.relative_to(HOUSE))
        for path in HOUSE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and not node.level and f"{node.module}.".startswith("service."))
        or (isinstance(node, ast.Import) and any(f"{one.name}.".startswith("service.") for one in node.names))
    }
    assert not named, f"these import `service` by its name: {sorted(named)}"


def test_every_module_has_its_package_and_packages_are_in_order() -> None:
    found = {room(path) for path in modules()}
    assert found == set(ROOMS) | TOP
    order = list(ROOMS)
    for number, (own, below) in enumerate(ROOMS.items()):
        assert below <= set(order[:number]), f"{own} looks up"


def test_the_packages_of_render_are_in_order() -> None:
    order = list(RENDER)
    entered_by: dict[str, set[str]] = {own: set() for own in RENDER}
    for path in modules():
        parts = path.relative_to(HOUSE).parts
        if parts[0] != "render" or parts[1] == "__init__.py":
            continue
        own = parts[1].removesuffix(".py")
        found = {name.split(".")[2] for name in imported(path) if name.startswith("service.render.")}
        assert found - {own} <= RENDER[own], f"{path.relative_to(HOUSE)} looks into {sorted(found)}"
        entered_by[own] |= found - {own}
    assert entered_by == RENDER
    for number, (own, below) in enumerate(RENDER.items()):
        assert below <= set(order[:number]), f"{own} looks up"


def test_imports_have_no_cycles() -> None:
    """Imports for types alone may not form a cycle either."""
    known = {
        ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules()
    }
    uses: dict[str, set[str]] = {}
    for name, path in known.items():
        entered = {one if one in known else one.rpartition(".")[0] for one in imported(path)}
        uses[name] = entered & known.keys() - {name}
    while leaves := {name for name, used in uses.items() if not used & uses.keys()}:
        for name in leaves:
            del uses[name]
    assert not uses, f"these import each other: {sorted(uses)}"


def test_every_listed_package_is_imported() -> None:
    for own, below in ROOMS.items():
        entered_by = {entered(name) for path in modules() if room(path) == own for name in imported(path)}
        assert below <= entered_by, f"{own} does not look into {below - entered_by}"


def test_pixels_stay_in_their_packages() -> None:
    for path in modules():
        own, libraries = room(path), {name.partition(".")[0] for name in imported(path)}
        if own not in WITH_PIXELS:
            assert not libraries & PIXELS, path
        if own == "render":
            assert "PIL" not in libraries, path


def test_only_the_root_builds_things() -> None:
    """Only the entry points import the composition root."""
    users = {path.stem for path in modules() if any(entered(name) in TOP for name in imported(path))}
    starters = {path.stem for path in modules() if room(path) in TOP}
    assert users <= starters


def test_the_rules_see_through_every_form_of_import() -> None:
    source = (
        "import numpy.linalg as la\nfrom . import responses\nfrom ..render import tone\ndef f(): import cv2"
    )
    found = set(names(source, ["service", "api"]))
    assert found == {"numpy.linalg", "service.api.responses", "service.render.tone", "cv2"}


def test_a_class_name_stands_for_one_thing() -> None:
    """Each class outside `render/` has a name of its own; classes in `render/` are named as in its formulas.

    OpenAPI names a response after its subject, so code writes `answers.Device` and never the bare name, which
    belongs to the device's class.
    """
    places: dict[str, set[str]] = {}
    answered = set()
    for path in modules():
        if room(path) == "render":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and path == HOUSE / "api" / "answers.py":
                answered.add(f"service.api.answers.{node.name}")
            elif isinstance(node, ast.ClassDef):
                places.setdefault(node.name.lstrip("_"), set()).add(str(path.relative_to(HOUSE)))
    assert not {name: files for name, files in places.items() if len(files) > 1}
    assert len(answered) > 40
    assert not [str(path) for path in modules() if imported(path) & answered]
