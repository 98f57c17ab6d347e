"""Requests whose client has left."""

from __future__ import annotations

import weakref

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from service.api.failures import Failures
from service.clock import CancelledError

pytestmark = pytest.mark.anyio


class Large:
    """Stands for a picture."""


@pytest.mark.parametrize("kind", [ClientDisconnect, CancelledError])
async def test_what_a_request_held_is_released_when_its_client_leaves(kind: type[BaseException]) -> None:
    errors, held = list[BaseException](), list[weakref.ref[Large]]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        large = Large()
        held.append(weakref.ref(large))
        try:
            raise ValueError("an earlier failure")
        except ValueError:
            errors.append(kind())
            raise errors[0] from None

    async def nothing() -> Message:
        raise AssertionError("nobody reads the request")

    async def refused(message: Message) -> None:
        raise AssertionError("nobody reads the response")

    with capture_logs() as lines:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "state": {}}
        await Failures(app)(scope, nothing, refused)
    assert [line["event"] for line in lines] == ["client left"]
    # The error's traceback still exists.
    assert errors[0].__traceback__ is not None
    assert held[0]() is None
