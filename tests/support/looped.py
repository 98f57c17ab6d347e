"""Tests of many small cases: a single test runs them all, since a test costs more time than such a case."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def looped(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with each case, as `pytest.mark.parametrize` does, but as a single test.

    `names` are one or more parameters, separated by commas; with more, each case is a tuple. The test's other
    arguments stay pytest's, and are the same for all cases. All failures are reported, each with its case.
    """
    members, listed = names.replace(" ", "").split(","), list(cases)

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def every(**given: object) -> None:
            failures: list[BaseException] = []
            for case in listed:
                own = dict(zip(members, case if len(members) > 1 else (case,), strict=True))
                try:
                    test(**own, **given)
                except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:
                    error.add_note(", ".join(f"{name}={repr(value)[:200]}" for name, value in own.items()))
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(listed)} cases fail", failures)

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name not in members]
        every.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return every

    return decorate
