"""What callers are told: statuses, summaries, and when to try again."""

from __future__ import annotations

import pickle

import pytest

from service.errors import (
    STATUS,
    Code,
    Detail,
    MockupError,
    busy,
    counted,
    failed,
    invalid,
    refusal,
    short_of_memory,
    stopping,
)

FIRST, SECOND = Detail("settings.device", "unknown"), Detail("", "two bodies")


def test_every_code_has_its_status() -> None:
    by_status: dict[int, set[str]] = {}
    for code in Code:
        by_status.setdefault(STATUS[code], set()).add(code)
    assert by_status == {
        400: {"INVALID_REQUEST"},
        401: {"MISSING_AUTH", "INVALID_API_KEY"},
        403: {"SUBSCRIPTION_REQUIRED", "PROJECT_ACCESS_DENIED", "NOT_ALLOWED"},
        404: {"PROJECT_NOT_FOUND", "NOT_FOUND"},
        405: {"METHOD_NOT_ALLOWED"},
        409: {"SUPERSEDED", "KEY_REUSED"},
        413: {"PAYLOAD_TOO_LARGE"},
        415: {"UNSUPPORTED_MEDIA_TYPE"},
        416: {"RANGE_NOT_SATISFIABLE"},
        429: {"RATE_LIMITED"},
        500: {"RENDER_FAILED"},
        501: {"ENCODER_MISSING"},
        503: {"SERVER_BUSY"},
        504: {"RENDER_TIMEOUT"},
    }


@pytest.mark.parametrize(
    ("error", "status", "message", "retry"),
    [
        (failed(), 500, "The mockup could not be generated", None),
        (short_of_memory(), 503, "The server ran out of memory; try again", 2),
        (stopping(), 503, "The server is shutting down", 1),
        (busy(), 503, "The server is busy. Try again in 1 second", 1),
        (busy("Many films", 7), 503, "Many films. Try again in 7 seconds", 7),
        (refusal(FIRST), 400, "settings.device: unknown", None),
        (refusal(SECOND), 400, "two bodies", None),
        (refusal(FIRST, SECOND), 400, "settings.device: unknown (and 1 more)", None),
        (refusal(SECOND, FIRST, FIRST), 400, "two bodies (and 2 more)", None),
        (invalid("Wrong", FIRST), 400, "Wrong", None),
    ],
)
def test_errors(error: MockupError, status: int, message: str, retry: int | None) -> None:
    assert (error.status, error.message, str(error), error.retry_after) == (status, message, message, retry)
    again = pickle.loads(pickle.dumps(error))
    for name in ("code", "message", "details", "retry_after"):
        assert getattr(again, name) == getattr(error, name)


def test_a_summary_follows_its_details() -> None:
    assert refusal(FIRST, SECOND).about(SECOND).message == "two bodies"
    kept = MockupError(Code.INVALID_REQUEST, "Wrong", (FIRST,), retry_after=3).about(SECOND)
    assert (kept.message, kept.details, kept.retry_after) == ("Wrong", (SECOND,), 3)
    assert busy().about(FIRST).message == busy().message


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1 second"),
        (1.0, "1 second"),
        (0, "0 seconds"),
        (2.5, "2.5 seconds"),
        (1e9 + 1, "1000000001 seconds"),
    ],
)
def test_counted(number: float, text: str) -> None:
    assert counted(number, "second") == text
