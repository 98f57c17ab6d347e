"""The user for whom a host name is looked up: the HTTP client has no argument to pass it in."""

from __future__ import annotations

from contextvars import ContextVar

user: ContextVar[str] = ContextVar("user", default="")
