"""A short soak: every response is documented, and memory and open files do not grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak import DOCUMENTED, slope, soak
from tests.support.live import running

pytestmark = pytest.mark.long


@pytest.mark.alone
def test_a_short_soak(tmp_path: Path) -> None:
    with running(tmp_path, RATE_LIMIT="10000", CACHE_BYTES=str(4 * 2**20)) as live:
        found = soak(live, 60, every=10)
        assert set(found.statuses) <= DOCUMENTED, found.statuses
        assert found.statuses[200] >= 45
        files = [seen.files for _, seen in found.settled]
        assert max(files) <= min(files) + 20, files
        memory = [seen.pss for _, seen in found.settled]
        assert max(memory) < memory[0] + 150 * 2**20, memory


def test_slope() -> None:
    assert slope([(0, 5), (1000, 7), (2000, 9)]) == 2
    assert slope([(0, 5)]) == 0
