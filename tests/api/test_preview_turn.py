"""The cost of a preview's turn to its user."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.api.preview_turn import charged
from service.clock import Clock
from service.limits import PREVIEW_LEAST_MS
from tests.api.application import application


@pytest.mark.parametrize("fails", [False, True])
async def test_users_pay_for_the_work_but_not_for_the_time_it_waits(
    fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(100)
    monkeypatch.setattr(
        "service.api.preview_turn.time", SimpleNamespace(perf_counter=lambda: float(next(seconds)))
    )
    clock = Clock()
    clock.stages["queue"] = 50.0

    async def work() -> str:
        clock.stages["queue"] += 300
        if fails:
            raise OSError
        return "made"

    with application(tmp_path) as app:
        services = app.app.state.services
        caller = services.accounts.keys.authenticate(app.key())
        ended = await asyncio.gather(charged(services, caller, work, 1000, clock), return_exceptions=True)
        assert isinstance(ended[0], OSError) == fails
        limit = round(services.config.preview_limit_s * 1e3)
        left = services.limits.peek(f"previews:{caller.counted_as}", limit).remaining
    assert limit - left == 1000 - 300 - PREVIEW_LEAST_MS
