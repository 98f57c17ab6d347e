"""The faults that can be made in a source file: constants, operators, conditions, statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
OPERATIONS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
# Arguments that only affect how Python stores or checks something.
FORMALITIES = {"strict", "frozen", "slots", "eq", "maxsize", "maxlen", "dtype"}
# Smaller constants guard against division by zero or rounding errors, so a tenth more changes nothing.
LEAST = 1e-3


@dataclass(frozen=True)
class Fault:
    """A piece of a file, from byte `start` to `end`, and its replacement."""

    line: int
    start: int
    end: int
    before: str
    after: str

    def put(self, source: str) -> str:
        """The file's text with the fault."""
        data = source.encode()
        return (data[: self.start] + self.after.encode() + data[self.end :]).decode()

    def __str__(self) -> str:
        return f"`{short(self.before)}` → `{short(self.after)}`"


def short(text: str, most: int = 70) -> str:
    """A piece of code on one line."""
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= most else text[: most - 1] + "…"


@cache
def faults(source: str) -> tuple[Fault, ...]:
    """Every fault that can be made in a file, in the file's order."""
    found = _Finder(source)
    found.visit(ast.parse(source))
    return tuple(sorted(set(found.faults), key=lambda fault: (fault.start, fault.end, fault.after)))


class _Finder(ast.NodeVisitor):
    """Collects the faults of a file; skips code without behaviour: annotations, decorators, f-strings."""

    def __init__(self, source: str) -> None:
        self._data = source.encode()
        self._lines = [0]
        for line in self._data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self.faults: list[Fault] = []

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode()

    def _replace(self, node: ast.expr | ast.stmt, after: str) -> None:
        start, end = self._span(node)
        self.faults.append(Fault(node.lineno, start, end, self._text(start, end), after))

    def _between(self, left: ast.expr, right: ast.expr, before: str, after: str) -> None:
        """Replace the operator `before` between two expressions."""
        start, end = self._span(left)[1], self._span(right)[0]
        match = re.search(re.escape(before.encode()).replace(rb"\ ", rb"\s+"), self._data[start:end])
        assert match, (before, self._text(start, end))
        at = start + match.start()
        self.faults.append(Fault(right.lineno, at, start + match.end(), before, after))

    def _block(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """Statements without docstrings."""
        for statement in body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield statement

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        for statement in self._block(node.body):
            self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in self._block(node.body):
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Messages are not judged."""

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing runs without imports."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """As `visit_Import`."""

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in FORMALITIES:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        # NumPy takes any negative length for one that it has to find, so -2 is the same as -1.
        if isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
            lengths = [one for one in node.args if not isinstance(one, ast.UnaryOp)]
            for part in (node.func, *lengths, *node.keywords):
                self.visit(part)
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace(node, str(node.value + 1))
        elif isinstance(node.value, float) and not 0 < node.value < LEAST:
            self._replace(node, repr(node.value * 1.1 if node.value else 0.1))

    def visit_Compare(self, node: ast.Compare) -> None:
        for (left, right), operator in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
            self._between(left, right, *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in OPERATIONS:
            self._between(node.left, node.right, *OPERATIONS[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        one, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        self._between(node.values[0], node.values[1], one, other)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._replace(node, self._text(*self._span(node.operand)))
        self.generic_visit(node)

    def _choice(self, node: ast.If | ast.IfExp) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return  # only type checkers read what is imported there
        self._replace(node.test, f"not ({self._text(*self._span(node.test))})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._choice(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._choice(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._replace(node, "pass")
        if type(node.op) in OPERATIONS:
            before, after = OPERATIONS[type(node.op)]
            self._between(node.target, node.value, before + "=", after + "=")
        self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.attr for target in node.targets if isinstance(target, ast.Attribute)]
        if "writeable" in names:
            return  # it protects shared arrays, but no code writes to them
        # Without a name's first assignment, nothing runs.
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call | ast.Await):
            self._replace(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._replace(node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value.value if isinstance(node.value, ast.Constant) else node.value
        # None is as false as False, which has a fault of its own.
        if value is not None and value is not False:
            self._replace(node, "return None")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._replace(node, "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._replace(node, "pass")
