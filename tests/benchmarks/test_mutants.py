"""Faults are where they say, run as Python, and are judged by tests that exist."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest

from benchmarks.mutants import judge
from benchmarks.mutants.__main__ import sampled, source
from benchmarks.mutants.explained import EXPLAINED
from benchmarks.mutants.faults import Fault, faults
from benchmarks.mutants.judge import CAUGHT, LATE, MISSED
from benchmarks.mutants.targets import ROOT, TARGETS, Target

pytestmark = pytest.mark.long

CODE = '''
"""A text with 1 number."""
LIMIT: int = 10

@cache(maxsize=4)
def f(a, b=2.5):
    """Another, é < 3."""
    if a < b and not b in (1, 2):
        a += -b  # é
        g(a, strict=True)
    return a * b if a is not None else None
'''


def test_each_kind_of_fault_is_found() -> None:
    found = {(fault.before, fault.after) for fault in faults(CODE)}
    assert {
        ("10", "11"),
        ("2.5", "2.75"),
        ("<", "<="),
        ("and", "or"),
        ("not b in (1, 2)", "b in (1, 2)"),
        ("in", "not in"),
        ("a += -b", "pass"),
        ("+=", "-="),
        ("-b", "b"),
        ("g(a, strict=True)", "pass"),
        ("*", "/"),
        ("is not", "is"),
        ("a is not None", "not (a is not None)"),
    } <= found
    assert not {"4", "True", "3"} & {before for before, _ in found}, "neither decorators nor texts"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.file)
def test_faults_of_a_target_are_python_and_its_tests_are_there(target: Target) -> None:
    text = source(target)
    found, places = faults(text), statements(text)
    assert found
    intact: dict[tuple[int, int], str] = {}
    for fault in found:
        # Where the statement around it is still one, so is the file; parsing it alone takes a twentieth.
        around = [(start, end) for start, end in places if start <= fault.start and fault.end <= end]
        start, end = min(around, key=lambda place: place[1] - place[0])
        if (start, end) not in intact:
            intact[start, end] = parsed(text.encode()[start:end])
        left = len(text.encode()) - end
        assert parsed(fault.put(text).encode()[start:-left]) != intact[start, end], fault
    assert [test for test in target.tests if not (ROOT / "tests" / test).exists()] == []


def statements(text: str) -> list[tuple[int, int]]:
    """First byte and end of all statements of a file that can stand alone: the outermost, and simple ones."""
    lines = [0, *accumulate(len(line) for line in text.encode().splitlines(keepends=True))]
    tree = ast.parse(text)
    inner = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    return [
        (
            lines[node.lineno - 1] + node.col_offset,
            lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
        )
        for node in [*tree.body, *inner]
    ]


def parsed(statement: bytes) -> str:
    """The syntax tree of a single statement."""
    (node,) = ast.parse(statement).body
    return ast.dump(node)


def test_all_of_the_renderer_is_judged() -> None:
    service = ROOT / "service"
    there = {str(file.relative_to(service)) for file in (service / "render").rglob("*.py")}
    named = {target.file for target in TARGETS}
    assert {file for file in there if faults((ROOT / "service" / file).read_text())} <= named


def test_a_sample_is_drawn_again() -> None:
    targets = list(TARGETS)
    one, possible = sampled(targets, 300, 1)
    assert one == sampled(targets, 300, 1)[0]
    assert one != sampled(targets, 300, 2)[0]
    assert 250 < len(one) < 350
    assert set(possible) == {case.target.file for case in one}


def test_what_is_explained_is_still_there() -> None:
    for file, line, before, why in EXPLAINED:
        text = (ROOT / "service" / file).read_text()
        lines = [part.strip() for part in text.splitlines()]
        found = [fault for fault in faults(text) if lines[fault.line - 1].startswith(line)]
        assert [fault for fault in found if before in ("", fault.before)], (file, line)
        assert why


@pytest.mark.parametrize(
    ("body", "result"), [("assert True", MISSED), ("assert False", CAUGHT), ("while True: pass", LATE)]
)
def test_verdicts(tmp_path: Path, body: str, result: str) -> None:
    test = tmp_path / "test_one.py"
    test.write_text(f"def test_one():\n    {body}\n")
    seconds = 0.5 if result == LATE else 120.0
    # In a process without threads, as it forks.
    script = "import sys; from benchmarks.mutants.judge import run; "
    script += "print(run(sys.argv[1:3], float(sys.argv[3])).result)"
    command = [sys.executable, "-c", script, str(test), f"--rootdir={tmp_path}", str(seconds)]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout == f"{result}\n"
    )


def test_a_fault_is_put_where_it_belongs() -> None:
    text = "é = 1 + 2\n"
    assert [fault.put(text) for fault in faults(text) if fault.before == "+"] == ["é = 1 - 2\n"]
    assert str(Fault(1, 0, 1, "a  \n b", "c")) == "`a b` → `c`"


def test_what_is_loaded_ahead_can_be() -> None:
    for name in judge.LOADED:
        importlib.import_module(name)
