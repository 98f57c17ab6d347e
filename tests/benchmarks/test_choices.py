"""The page about devices lists the device that `auto` chooses for each screenshot, none of which loses much
by cropping."""

from __future__ import annotations

from benchmarks.catalogue import PAGE
from benchmarks.choices import CASES, lost, page


def test_the_page_lists_the_chosen_devices() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m benchmarks.choices"


def test_there_are_many_sizes() -> None:
    assert len({(case.size, case.shadow) for case in CASES}) >= 60


def test_auto_crops_at_most_three_per_cent() -> None:
    assert [case.what for case in CASES if lost(case) > 0.03] == []
