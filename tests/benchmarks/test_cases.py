"""Random cases: each has another device, and the same seed gives the same cases."""

from __future__ import annotations

from benchmarks.cases import CASES, drawn
from service.settings.schema import ENVIRONMENTS


def test_cases_drawn_at_random_are_of_devices_without_references() -> None:
    cases = drawn(16, 3)
    devices = [case.device for case in cases]
    assert len(set(devices)) == 16
    assert not {case.device for case in CASES} & set(devices)
    assert {case.environment for case in cases} <= set(ENVIRONMENTS)
    assert all(case.finish for case in cases)
    assert all(case.tint.startswith("#") for case in cases)


def test_half_of_them_are_seen_from_behind() -> None:
    behind = [abs(case.angles[1]) > 90 for case in drawn(16, 4)]
    assert sum(behind) == 8


def test_a_seed_draws_the_same_cases_again() -> None:
    assert drawn(6, 5) == drawn(6, 5) != drawn(6, 6)
