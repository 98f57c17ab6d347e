"""Functions of the renderer have at most seven parameters."""

from __future__ import annotations

import ast
from pathlib import Path

import service.render

MOST = 7
ROOT = Path(service.render.__file__).parent


def test_no_function_takes_more_than_seven_parameters() -> None:
    long = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                every = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                names = [one.arg for one in every if one.arg not in ("self", "cls")]
                if len(names) > MOST:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} takes {', '.join(names)}")
    assert not long
