"""A server watched from outside: only its own silence counts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.watch import waited
from tests.support.waiting import until


def test_waiting_for_a_processor_is_told_from_work() -> None:
    one = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{one}}})\nwhile True: pass"
    both = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(2)]
    try:
        if waited(str(os.getpid())) == 0:
            pytest.skip("this kernel does not say")
        for each in both:
            until(lambda each=each: waited(str(each.pid)) > 0.1, "waiting for the other")  # type: ignore[misc]
    finally:
        for each in both:
            each.kill()
            each.wait()


def test_nothing_is_known_of_who_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert waited(str(gone.pid)) == 0
