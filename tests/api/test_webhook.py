from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from service.accounts.store import Accounts
from service.api import webhook, webhook_secret
from service.api.webhook import headers
from service.errors import failed
from tests.api.application import application
from tests.support.films import change, submitted
from tests.support.waiting import called_twice, soon


def test_calls_are_signed_as_the_specification_signs_its_example() -> None:
    at = datetime.fromtimestamp(1614265330, UTC)
    # The example of Svix's documentation, with which the specification agrees.
    made = headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        at,
        b'{"test": 2432232314}',
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    )
    assert made["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert made["Accept"] == "*/*", "the answer need not be a picture"


@pytest.mark.parametrize("error", [failed(), ValueError("something else")])
async def test_webhooks_are_called_again_after_a_failure(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "POLL_S", 0.0)
    due = Mock(side_effect=error)
    services = Mock(accounts=Mock(films=Mock(webhooks=due)), webhooks_wanted=asyncio.Event())
    await called_twice(webhook.call(services), due)


def _failed_film(accounts: Accounts, secret: str) -> None:
    """A failed film that is due to be reported to a webhook with a secret."""
    user = accounts.users.add("ada@example.com", "pro")
    submitted(accounts, user, {"url": "https://example.com", "secret": secret})
    claimed = accounts.films.claim()
    assert claimed is not None
    accounts.films.fail(claimed, failed())


async def test_a_film_that_cannot_be_reported_does_not_stop_other_calls(tmp_path: Path) -> None:
    with application(tmp_path) as app, capture_logs() as lines:
        services = app.app.state.services
        _failed_film(services.accounts, "0123456789abcdef")
        change(services.accounts, status="done", outcome="{}")
        task = asyncio.create_task(webhook.call(services))
        await soon(lambda: lines or task.done())
        assert not task.done()
        assert {line["event"] for line in lines} == {"a webhook could not be called"}
        task.cancel()
        await asyncio.wait({task})


async def test_a_call_that_cannot_be_signed_is_logged_as_an_error(tmp_path: Path) -> None:
    with application(tmp_path) as app, capture_logs() as lines:
        services = app.app.state.services
        _failed_film(services.accounts, "whsec_no_base64")
        task = asyncio.create_task(webhook.call(services))
        await soon(lambda: lines or task.done())
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})
    assert [(one["log_level"], one["event"]) for one in lines] == [("error", "a webhook could not be called")]


def test_secrets_after_the_prefix_are_base64() -> None:
    assert webhook_secret.key("plain secret") == b"plain secret"
    assert webhook_secret.key("whsec_AAEC") == b"\x00\x01\x02"
    for wrong in ("whsec_AAE", "whsec_A!EC", "whsec_\N{LATIN SMALL LETTER E WITH ACUTE}"):
        with pytest.raises(ValueError, match="expected base64 after whsec_"):
            webhook_secret.key(wrong)
