from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest

from service import logs
from service.limits import LOG_BURST, LOG_RATE
from tests.api.application import application


async def test_no_user_can_fill_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    with application(tmp_path) as app:
        # The clock stands still, so the number of log lines does not depend on how long the test takes.
        monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now[0]))
        noisy, quiet = app.key(), app.key()

        async def asked(key: str) -> int:
            path = f"/api/v1/screenshots/{UUID(int=0)}"
            reply = await app.send(key=key, method="GET", path=path)
            assert reply.status == 404
            return capsys.readouterr().out.count("/api/v1/screenshots/")

        assert sum([await asked(noisy) for _ in range(250)]) == LOG_BURST
        assert await asked(quiet) == 1, "others' lines are written"
        now[0] += 1.0
        assert sum([await asked(noisy) for _ in range(30)]) == LOG_RATE
