"""Calls webhooks, signed as "Standard Webhooks" specifies."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
from contextlib import suppress
from datetime import datetime

import orjson
import structlog
from anyio import to_thread

from ..accounts.films import WEBHOOK_AGAIN_S, StoredFilm
from ..accounts.tables import now
from ..errors import MockupError
from ..limits import WEBHOOK_S
from ..sources.refusals import RefusedError
from .films import told
from .services import Services
from .webhook_secret import key

log = structlog.get_logger(__name__)

POLL_S = 5.0


async def call(services: Services) -> None:
    """Call the webhooks that are due, until cancelled."""
    while True:
        accepted = True
        try:
            accepted = await _all_called(services)
        except Exception:
            # No error may end this task, which runs as long as the server.
            log.exception("webhooks not called")
        with suppress(TimeoutError):
            async with asyncio.timeout(POLL_S if accepted else WEBHOOK_AGAIN_S):
                await services.webhooks_wanted.wait()
        services.webhooks_wanted.clear()


async def _all_called(services: Services) -> bool:
    """Call the webhooks that are due; returns whether all were accepted."""
    due: list[StoredFilm] = []
    with suppress(MockupError):
        due = await to_thread.run_sync(services.accounts.films.webhooks)
    return all(await asyncio.gather(*(_called(services, film) for film in due)))


async def _called(services: Services, film: StoredFilm) -> bool:
    """Call a webhook; returns whether it was accepted."""
    if film.webhook is None:
        return True
    at = now()
    try:
        data = orjson.dumps(
            {"type": f"film.{film.status}", "timestamp": at.isoformat(), "data": told(film).written()}
        )
        signed = headers(str(film.id), at, data, film.webhook["secret"])
        await services.fetcher.post(film.webhook["url"], data, signed, f"webhook:{film.user_id}", WEBHOOK_S)
        await to_thread.run_sync(services.accounts.films.settle_webhook, film)
        return True
    except (RefusedError, MockupError) as error:
        log.info(
            "a webhook did not accept", film=str(film.id), tries=film.webhook_tries + 1, reason=str(error)
        )
    except Exception:
        log.exception("a webhook could not be called", film=str(film.id))
    with suppress(MockupError):
        await to_thread.run_sync(services.accounts.films.repeat_webhook, film)
    return False


def headers(name: str, at: datetime, data: bytes, secret: str) -> dict[str, str]:
    """The headers of a call: its id, its time and its signature."""
    moment = str(int(at.timestamp()))
    digest = hmac.digest(key(secret), f"{name}.{moment}.".encode() + data, hashlib.sha256)
    return {
        "Accept": "*/*",
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
