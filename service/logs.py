"""Log lines on stderr, for people or machines, with secrets and screenshots redacted."""

from __future__ import annotations

import logging
import math
import re
import sys
import time
from collections.abc import Mapping
from typing import Any

import structlog
from cachetools import LRUCache
from structlog.typing import EventDict, Processor

from .config import Config
from .limits import LOG_BURST, LOG_RATE, LOGGED_USERS

SECRET_NAMES = re.compile(r"authorization|cookie|password|passwd|secret|api.?key$|token$", re.IGNORECASE)
GONE = "[redacted]"
# Applied in this order; the first 16 characters of a key are its public prefix and are kept.
PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(sk_(?:live|test|link)_[A-Za-z0-9_-]{0,8})[A-Za-z0-9_-]*"), r"\1"),
    (re.compile(r"\b(Bearer|Basic)\s+(?!sk_(?:live|test)_)[^\s'\",;]+", re.IGNORECASE), rf"\1 {GONE}"),
    (re.compile(r"(data:[^,\s]{0,200};base64,)[A-Za-z0-9+/=_-]*"), r"\1[base64]"),
    (re.compile(r"(?:[A-Za-z0-9+/]{100,}|[A-Za-z0-9_-]{100,})={0,2}"), "[base64]"),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+@"), rf"\1{GONE}@"),
)
# Whatever a pattern finds contains one of these; most texts contain none, and need no further search.
SUSPECT = re.compile(r"sk_|bearer|basic|data:|://|[A-Za-z0-9+/_-]{100}", re.IGNORECASE)
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127, *range(128, 160))}

# Seconds between reports of omitted lines.
REPORT_S = 10.0


class LineLimit:
    """Limits log lines that `owner` can cause at will, or anyone without a key; for one thread.

    Omitted lines are counted and reported in a line of their own. At level `debug` none are omitted.
    """

    def __init__(self, rate: float = LOG_RATE, burst: float = LOG_BURST, owner: str | None = None) -> None:
        self._rate = rate
        self._owner = owner
        self._burst = self._left = burst
        self._last = time.monotonic()
        self._omitted = 0
        self._reported = -math.inf

    def allows(self) -> bool:
        """Whether another line may be written; counts it if so."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + self._rate * (now - self._last))
        self._last = now
        if self._left < 1 and not logging.getLogger().isEnabledFor(logging.DEBUG):
            self._omitted += 1
            return False
        self._left = max(0.0, self._left - 1)
        if self._omitted and now - self._reported >= REPORT_S:
            told = structlog.get_logger(__name__)
            if self._owner is None:
                told.warning("anonymous log lines omitted", lines=self._omitted)
            else:
                told.warning("log lines of a user omitted", user=self._owner, lines=self._omitted)
            self._omitted, self._reported = 0, now
        return True


anonymous = LineLimit()
_users: LRUCache[str, LineLimit] = LRUCache(LOGGED_USERS)


def of_user(owner: str, rate: float) -> LineLimit:
    """The limit of a user's log lines, with room for at least `rate` requests per second; for one thread."""
    found = _users.get(owner)
    if found is None:
        found = _users[owner] = LineLimit(max(LOG_RATE, rate), owner=owner)
    return found


def configure(config: Config) -> None:
    """Send log lines of the service and its libraries to stderr in the configured format."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    final: Processor
    if config.log_format == "json":
        final = structlog.processors.JSONRenderer(sort_keys=False)
    else:
        final = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared[:-1], _without_color, redact],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, final],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(config.log_level.upper())


def quiet() -> None:
    """Send warnings and errors to stderr as plain text; a command's stdout is for its output."""
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            # Tracebacks are formatted before secrets are redacted, and without the values of variables.
            structlog.processors.format_exc_info,
            redact,
            structlog.dev.ConsoleRenderer(colors=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def redact(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Redact keys, Authorization values, passwords and base64 in an event, and escape control codes."""
    return {name: _clean(name, value) for name, value in event.items()}


def scrub(text: str) -> str:
    """Redact API keys, credentials and base64 in a text."""
    if SUSPECT.search(text) is None:
        return text
    for pattern, replacement in PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def _clean(name: str, value: Any) -> Any:
    if name.startswith("_"):
        # Structlog's own fields for its formatter.
        return value
    if SECRET_NAMES.search(name):
        return GONE
    if isinstance(value, bytes | bytearray | memoryview):
        return f"[{len(value)} bytes]"
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, Mapping):
        return {str(key): _clean(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean("", item) for item in value]
    text = scrub(str(value))
    # Line breaks in untrusted text must not look like separate log lines; tracebacks are trusted.
    return text if name == "exception" else text.translate(CONTROLS)


def _without_color(_logger: Any, _method: str, event: EventDict) -> EventDict:
    # Uvicorn logs some messages twice, once in colour.
    event.pop("color_message", None)
    return event


def warn(text: str) -> None:
    """Log a warning for the operator."""
    structlog.get_logger(__name__).warning(text)
