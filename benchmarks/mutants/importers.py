"""The test files that import a module: they test it, even if no table names them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from benchmarks.mutants import ROOT

# Tests of attacks, browsers, clients and benchmarks take long, and use modules rather than test them.
LEFT_OUT = {"benchmarks", "clients", "faults", "support", "web"}


@cache
def importers() -> Mapping[str, tuple[str, ...]]:
    """The test files, relative to the folder of the tests, that import each module by its dotted name."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name = path.relative_to(ROOT / "tests")
        if name.parts[0] not in LEFT_OUT:
            for module in set(_imported(path)):
                found.setdefault(module, []).append(str(name))
    return {module: tuple(names) for module, names in found.items()}


def _imported(path: Path) -> Iterator[str]:
    """The dotted names that a file imports; those of functions and classes, too, which are no modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
