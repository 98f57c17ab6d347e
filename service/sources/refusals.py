"""Refusals to fetch a screenshot: the reason for the log, and one message for all callers."""

from __future__ import annotations

_EXPECTED = "expected one on the public internet that responds with status 200 and the"
# The message is the same for every reason: callers must not learn which hosts and ports the server can reach.
FAILED = f"The screenshot could not be fetched from its URL: {_EXPECTED} picture"
NO_RECORDING = f"The recording could not be fetched from its URL: {_EXPECTED} file"
PRIVATE = "MOCKUP_ALLOW_PRIVATE_SOURCES=true allows it"


class RefusedError(Exception):
    """Why a fetch failed; for the log and the command line, never for API callers."""


class ForbiddenError(OSError):
    """An address that screenshots must not be fetched from."""
