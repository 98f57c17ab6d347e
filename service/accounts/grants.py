"""The uses of a key: its scopes, the origins it may be used from, and whether it is for tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from ..config import ORIGIN
from ..limits import KEY_ORIGINS
from .errors import AccountError

Scope = Literal["render", "upload", "projects", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
LIVE, TEST = "sk_live_", "sk_test_"
# The prefixes of keys.
MARKS = (LIVE, TEST)


@dataclass(frozen=True, slots=True)
class Grant:
    """The permitted uses of a key; without `scopes`, they are everything that its holder may do.

    A key with `origins` may be used only by pages of these origins. A `test` key makes pictures with a
    watermark, needs no subscription, and cannot be used for administration.
    """

    scopes: frozenset[Scope] | None = None
    origins: tuple[str, ...] = ()
    test: bool = False

    def permits(self, scope: Scope | None) -> bool:
        """Whether a key may be used where `scope` is needed; if None, only keys without restrictions may."""
        if scope == "admin" and self.test:
            return False
        return self.scopes is None or scope in self.scopes

    @property
    def mark(self) -> str:
        """The prefix of a key with this grant."""
        return TEST if self.test else LIVE

    @property
    def columns(self) -> dict[str, str | None]:
        """The grant as it is stored; the mark of the key says whether it is for tests."""
        scopes = None if self.scopes is None else " ".join(one for one in SCOPES if one in self.scopes)
        return {"scopes": scopes, "origins": " ".join(self.origins) or None}


#: The grant of a key for which no other is chosen.
EVERYTHING = Grant()


def stored(prefix: str, scopes: str | None, origins: str | None) -> Grant:
    """The grant of a row; scopes that this version does not know permit nothing."""
    known = None if scopes is None else frozenset(one for one in SCOPES if one in scopes.split())
    return Grant(known, tuple((origins or "").split()), prefix.startswith(TEST))


def grant(scopes: Iterable[str] = (), origins: Iterable[str] = (), *, test: bool = False) -> Grant:
    """A grant of these scopes, or of all if none are given; raises AccountError for an invalid choice."""
    named, pages = list(scopes), tuple(dict.fromkeys(origins))
    if wrong := next((one for one in named if one not in SCOPES), None):
        raise AccountError(f"expected scopes among {', '.join(SCOPES)}, got {wrong!r}", "scopes")
    if wrong := next((one for one in pages if len(one) > 253 or not ORIGIN.fullmatch(one)), None):
        raise AccountError(
            f"not an origin such as https://app.example.com, without a path: {wrong}", "origins"
        )
    if len(pages) > KEY_ORIGINS:
        raise AccountError(f"a key has at most {KEY_ORIGINS} origins", "origins")
    if pages and named != ["render"]:
        raise AccountError("a key with origins needs the scope render, and no other", "scopes")
    if test and "admin" in named:
        raise AccountError("a key for tests cannot be used for administration", "scopes")
    chosen: frozenset[Scope] | None = frozenset(one for one in SCOPES if one in named) or None
    return Grant(chosen, pages, test)
