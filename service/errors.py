"""Errors that callers can see, each with its code, status and public message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# Seconds after which a refused request may be retried.
RETRY_S = 1


class Code(StrEnum):
    """The documented error codes; `STATUS` gives each its HTTP status."""

    INVALID_REQUEST = "INVALID_REQUEST"
    MISSING_AUTH = "MISSING_AUTH"
    INVALID_API_KEY = "INVALID_API_KEY"
    SUBSCRIPTION_REQUIRED = "SUBSCRIPTION_REQUIRED"
    PROJECT_ACCESS_DENIED = "PROJECT_ACCESS_DENIED"
    PROJECT_NOT_FOUND = "PROJECT_NOT_FOUND"
    NOT_ALLOWED = "NOT_ALLOWED"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    SUPERSEDED = "SUPERSEDED"
    KEY_REUSED = "KEY_REUSED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    RANGE_NOT_SATISFIABLE = "RANGE_NOT_SATISFIABLE"
    RATE_LIMITED = "RATE_LIMITED"
    RENDER_FAILED = "RENDER_FAILED"
    SERVER_BUSY = "SERVER_BUSY"
    RENDER_TIMEOUT = "RENDER_TIMEOUT"
    ENCODER_MISSING = "ENCODER_MISSING"


STATUS: dict[Code, int] = {
    Code.INVALID_REQUEST: 400,
    Code.MISSING_AUTH: 401,
    Code.INVALID_API_KEY: 401,
    Code.SUBSCRIPTION_REQUIRED: 403,
    Code.PROJECT_ACCESS_DENIED: 403,
    Code.PROJECT_NOT_FOUND: 404,
    Code.NOT_ALLOWED: 403,
    Code.NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.SUPERSEDED: 409,
    Code.KEY_REUSED: 409,
    Code.PAYLOAD_TOO_LARGE: 413,
    Code.UNSUPPORTED_MEDIA_TYPE: 415,
    Code.RANGE_NOT_SATISFIABLE: 416,
    Code.RATE_LIMITED: 429,
    Code.RENDER_FAILED: 500,
    Code.SERVER_BUSY: 503,
    Code.RENDER_TIMEOUT: 504,
    Code.ENCODER_MISSING: 501,
}


@dataclass(frozen=True, slots=True)
class Detail:
    """An offending value: its dotted JSON path and what was expected there."""

    path: str
    message: str


class MockupError(Exception):
    """An error with a public message; its cause, if any, is in `__cause__` and goes to the log only."""

    def __init__(
        self,
        code: Code,
        message: str,
        details: tuple[Detail, ...] = (),
        *,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status that belongs to the code."""
        return STATUS[self.code]

    def about(self, *details: Detail) -> MockupError:
        """The error with other details; a message that summarised the old ones is updated."""
        message = self.message
        if self.details and message == summary(self.details):
            message = summary(details)
        return MockupError(self.code, message, details, retry_after=self.retry_after)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.code, self.message, self.details, self.retry_after))


def _rebuild(code: Code, message: str, details: tuple[Detail, ...], retry_after: int | None) -> MockupError:
    return MockupError(code, message, details, retry_after=retry_after)


def failed() -> MockupError:
    """A 500 `RENDER_FAILED` without further information."""
    return MockupError(Code.RENDER_FAILED, "The mockup could not be generated")


def short_of_memory() -> MockupError:
    """A 503 `SERVER_BUSY` for requests that found too little memory, which is not their fault."""
    return MockupError(Code.SERVER_BUSY, "The server ran out of memory; try again", retry_after=2)


def stopping() -> MockupError:
    """A 503 `SERVER_BUSY` for requests still waiting when the server stops."""
    return MockupError(Code.SERVER_BUSY, "The server is shutting down", retry_after=1)


def busy(message: str = "The server is busy", wait: int = RETRY_S) -> MockupError:
    """A 503 `SERVER_BUSY` with the seconds after which to retry."""
    message = f"{message}. Try again in {counted(wait, 'second')}"
    return MockupError(Code.SERVER_BUSY, message, retry_after=wait)


def refusal(*details: Detail) -> MockupError:
    """A 400 `INVALID_REQUEST` naming every offending path, with a summary as its message."""
    return MockupError(Code.INVALID_REQUEST, summary(details), details)


def summary(details: Sequence[Detail]) -> str:
    """The first fault, and how many more there are."""
    first = f"{details[0].path}: {details[0].message}" if details[0].path else details[0].message
    return first + (f" (and {len(details) - 1} more)" if len(details) > 1 else "")


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 second`, `2 seconds`."""
    return f"{number:.10g} {noun}{'' if number == 1 else 's'}"


def invalid(message: str, *details: Detail) -> MockupError:
    """A 400 `INVALID_REQUEST` naming every offending path."""
    return MockupError(Code.INVALID_REQUEST, message, details)
