"""Writes the times at which keys were last used, outside of requests."""

from __future__ import annotations

import asyncio

import structlog
from anyio import to_thread

from ..accounts.database import cause
from ..accounts.store import Accounts
from ..errors import MockupError

PERIOD_S = 60.0

log = structlog.get_logger(__name__)


async def record(accounts: Accounts) -> None:
    """Write the last uses of keys every minute, until cancelled."""
    while True:
        await asyncio.sleep(PERIOD_S)
        await write(accounts)


async def write(accounts: Accounts) -> None:
    """Write the last uses noted since the previous time; a failure is logged and tried again later."""
    try:
        await to_thread.run_sync(accounts.keys.record_uses)
    except MockupError as error:
        log.warning("last uses of keys not written", cause=cause(error))
    except Exception:
        # No error may end this task, which runs every minute.
        log.exception("last uses of keys not written")
