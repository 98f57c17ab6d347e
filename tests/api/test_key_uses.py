"""The time when each key was last used is written every minute, even after failures."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from service.api import key_uses
from service.errors import failed


@pytest.mark.anyio
async def test_uses_are_written_every_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts, events = Mock(), list[object]()

    def note(what: object) -> None:
        events.append(what)
        if len(events) == 5:
            raise asyncio.CancelledError

    async def sleep(seconds: float) -> None:
        note(seconds)

    accounts.keys.record_uses.side_effect = lambda: note("written")
    monkeypatch.setattr(key_uses, "asyncio", Mock(sleep=sleep))
    with pytest.raises(asyncio.CancelledError):
        await key_uses.record(accounts)
    assert events == [60.0, "written", 60.0, "written", 60.0]


@pytest.mark.anyio
@pytest.mark.parametrize("error", [failed(), RuntimeError("something else")])
async def test_a_failure_is_logged_and_passes(error: Exception) -> None:
    accounts = Mock()
    accounts.keys.record_uses.side_effect = error
    with capture_logs() as lines:
        await key_uses.write(accounts)
    assert [line["event"] for line in lines] == ["last uses of keys not written"]
