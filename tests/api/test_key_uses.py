"""The time when each key was last used is written every minute, even after failures."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from service.api import key_uses
from service.errors import failed


@pytest.mark.anyio
@pytest.mark.parametrize("error", [failed(), RuntimeError("something else")])
async def test_a_failure_is_logged_and_passes(error: Exception) -> None:
    accounts = Mock()
    accounts.keys.record_uses.side_effect = error
    with capture_logs() as lines:
        await key_uses.write(accounts)
    assert [line["event"] for line in lines] == ["last uses of keys not written"]
