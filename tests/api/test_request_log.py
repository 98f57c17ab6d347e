from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest

from service import logs
from service.clock import Clock
from service.errors import Code, MockupError
from tests.api.application import REQUEST, application


async def test_no_user_can_fill_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    with application(tmp_path) as app:
        # Time stands still, so that what the log takes does not depend on how long this takes.
        monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now[0]))
        noisy, quiet = app.key(), app.key()

        async def asked(key: str) -> int:
            path = f"/api/v1/screenshots/{UUID(int=0)}"
            reply = await app.send(key=key, method="GET", path=path)
            assert reply.status == 404
            return capsys.readouterr().out.count("/api/v1/screenshots/")

        assert sum([await asked(noisy) for _ in range(250)]) == logs.BURST
        assert await asked(quiet) == 1, "others' lines are written"
        now[0] += 1.0
        assert sum([await asked(noisy) for _ in range(30)]) == logs.RATE


@pytest.mark.parametrize(("code", "written"), [(Code.SERVER_BUSY, logs.BURST), (Code.RENDER_FAILED, 210)])
async def test_busy_requests_are_limited_and_failures_are_not(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    code: Code,
    written: float,
) -> None:
    def fail(clock: Clock) -> None:
        raise MockupError(code, "No")

    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: 0.0))
    with application(tmp_path, rate_limit=1000) as app:
        app.studio.work = fail
        key = app.key()
        for _ in range(210):
            assert (await app.send(REQUEST, key=key)).status >= 500
        assert capsys.readouterr().out.count("/api/v1/mockup") == written
