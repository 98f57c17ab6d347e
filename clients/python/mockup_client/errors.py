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

    `code` says why in a word (`RATE_LIMITED`), `status` is HTTP's, `details` are a list of `{path, message}`
    for a body that is not valid, `request_id` finds the request in the service's log, and `retry_after` is in
    how many seconds asking again makes sense, None if never.
    """

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        """Parse a response's JSON; a body that is not the service's is shown as it is."""
        said: Any = body if isinstance(body, dict) else {}
        # A 429 has its members beside `error`, others within it.
        said = said["error"] if isinstance(said.get("error"), dict) else said
        self.status = status
        self.code = str(said.get("code", f"HTTP_{status}"))
        self.details: list[dict[str, str]] = said.get("details") or []
        self.request_id = headers.get("x-request-id")
        after = headers.get("retry-after", "")
        self.retry_after = float(after) if after.isdigit() else None
        message = str(said.get("message", body if isinstance(body, str) and body else f"status {status}"))
        lines = [f"{one.get('path', '')}: {one.get('message', '')}" for one in self.details]
        # A single detail is the whole message.
        super().__init__("\n".join([f"{self.code}: {message}", *(one for one in lines if one != message)]))
