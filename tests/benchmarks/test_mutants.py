"""Every fault can be put at its stated place, leaves valid Python, and is judged by tests that exist."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.mutants import ROOT
from benchmarks.mutants.__main__ import sampled
from benchmarks.mutants.explained import EXPLAINED
from benchmarks.mutants.faults import Fault, faults
from benchmarks.mutants.judge import CAUGHT, COMPILED, LATE, MISSED, Judge
from benchmarks.mutants.targets import targets
from service.render.kernels import MODULES

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


def test_faults_that_no_caller_could_notice_are_not_made() -> None:
    text = "if TYPE_CHECKING:\n    import one\ndef f():\n    return False\n"
    assert [(fault.before, fault.after) for fault in faults(text)] == [("False", "True")]


def test_lengths_that_numpy_finds_stay() -> None:
    found = [(fault.before, fault.after) for fault in faults("a = light[-1].reshape(-1, 3)")]
    assert found == [("-1", "1"), ("1", "2"), ("3", "4")], "only the index"


def test_every_fault_is_python() -> None:
    text = (ROOT / "service" / "settings" / "merge.py").read_text()
    intact = ast.dump(ast.parse(text))
    for fault in faults(text):
        assert ast.dump(ast.parse(fault.put(text))) != intact, fault


def test_every_file_is_judged_by_existing_tests() -> None:
    files = [target.file for target in targets()]
    assert len(set(files)) == len(files)
    service = ROOT / "service"
    there = {str(file.relative_to(service)) for file in service.rglob("*.py")}
    assert {file for file in there if faults((service / file).read_text())} == set(files)
    named = {target.file: target.tests for target in targets()}
    assert "render/test_hinged.py" in named["render/paint/over.py"], "it imports the module"
    assert named["srgb.py"].count("render/test_tone.py") == 1
    tests = {test for target in targets() for test in target.tests}
    assert [test for test in tests if not (ROOT / "tests" / test.partition("::")[0]).exists()] == []


def test_compiled_files_are_built_before_they_are_judged() -> None:
    service = ROOT / "service"
    built = [path.with_name(f"{path.name.partition('.')[0]}.py") for path in service.rglob("*.so")]
    files = [str(file.relative_to(service)) for file in built if file.exists()]
    assert files
    # All kernels are in one library.
    files += [f"render/kernels/{name}.py" for name in MODULES]
    assert [file for file in files if not file.startswith(COMPILED)] == []


def test_a_sample_is_drawn_again() -> None:
    tried = list(targets())
    one, possible = sampled(tried, 300, 1)
    assert one == sampled(tried, 300, 1)[0]
    assert one != sampled(tried, 300, 2)[0]
    # One file in each part of the list of files.
    files, part = list(possible), len(possible) / 300
    for number, case in enumerate(one):
        assert number * part - 1 < files.index(case.target.file) < (number + 1) * part


def test_few_files_have_more_than_one_fault_each() -> None:
    tried = [target for target in targets() if target.file.startswith("codec/color/")]
    cases, possible = sampled(tried, 60, 1)
    assert {case.target.file for case in cases} == set(possible)
    assert len(set(cases)) == len(cases) == sum(min(60 // len(tried), count) for count in possible.values())


def test_explained_faults_refer_to_existing_code() -> None:
    for file, line, before, why in EXPLAINED:
        text = (ROOT / "service" / file).read_text()
        lines = [part.strip() for part in text.splitlines()]
        found = [fault for fault in faults(text) if lines[fault.line - 1].startswith(line)]
        assert [fault for fault in found if before in ("", fault.before)], (file, line)
        assert why


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("assert False", CAUGHT),
        ("__import__('os').abort()", CAUGHT),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in (("assert True", MISSED), ("__import__('time').sleep(60)", LATE))
        ),
    ],
)
def test_verdicts(tmp_path: Path, body: str, result: str) -> None:
    test = tmp_path / "test_one.py"
    test.write_text(f"def test_one():\n    {body}\n")
    idle = 6.0 if result == LATE else 120.0
    # `run` forks, so it needs a process without threads.
    script = "import sys; from benchmarks.mutants.judge import run; "
    script += "verdict = run(sys.argv[1:3], float(sys.argv[3])); print(verdict.result, verdict.failed)"
    command = [sys.executable, "-c", script, str(test), f"--rootdir={tmp_path}", str(idle)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    failed = "" if result == MISSED else "test_one.py::test_one"
    assert told == f"{result} {failed}\n"


@pytest.mark.thorough
def test_faults_of_kernels_are_built_in_the_judges_copy() -> None:
    built = {path: path.read_bytes() for path in (ROOT / "service").rglob("*.so")}
    file, tests = "codec/formats/png/unfilter.py", ("codec/test_unfilter.py",)
    text = (ROOT / "service" / file).read_text()
    fault = next(one for one in faults(text) if one.before.startswith("raise ValueError("))
    with Judge() as judge:
        results = [judge.verdict(file, one, tests).result for one in (text, fault.put(text), "?", text)]
        copies = {path: (judge.tree / path.relative_to(ROOT)).read_bytes() for path in built}
    assert results == [MISSED, CAUGHT, CAUGHT, MISSED]
    assert {path: path.read_bytes() for path in built} == copies == built


def test_a_fault_is_put_at_its_place() -> None:
    text = "é = 1 + 2\n"
    assert [fault.put(text) for fault in faults(text) if fault.before == "+"] == ["é = 1 - 2\n"]
    assert str(Fault(1, 0, 1, "a  \n b", "c")) == "`a b` → `c`"
