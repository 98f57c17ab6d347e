"""Errors that calls raise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class MockupError(Exception):
    """Any error of this package."""


class UnreachableError(MockupError):
    """The service could not be reached, or its response broke off, even after all retries."""


class ApiError(MockupError):
    """The service refused a call.

    `code` names the reason (`RATE_LIMITED`), and `status` is the HTTP status. `details` is a list of `{path,
    message}` for an invalid body. The service's log has the request under `request_id`. `retry_after` is the
    number of seconds after which a retry makes sense, None if it never does.
    """

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        """Parse a response's JSON; a body that does not come from the service is kept as it is."""
        said: Any = body if isinstance(body, dict) else {}
        # A 429 response has these members beside `error`, other responses have them inside it.
        said = said["error"] if isinstance(said.get("error"), dict) else said
        self.status = status
        self.code = str(said.get("code", f"HTTP_{status}"))
        self.details: list[dict[str, str]] = said.get("details") or []
        self.request_id = headers.get("x-request-id")
        after = headers.get("retry-after", "")
        self.retry_after = float(after) if after.isdigit() else None
        message = str(said.get("message", body if isinstance(body, str) and body else f"status {status}"))
        lines = [f"{one.get('path', '')}: {one.get('message', '')}" for one in self.details]
        # If there is only one detail, it is the whole message.
        super().__init__("\n".join([f"{self.code}: {message}", *(one for one in lines if one != message)]))
