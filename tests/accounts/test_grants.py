"""Grants of keys: how they are chosen, stored and applied."""

from __future__ import annotations

from typing import Any

import pytest

from service.accounts.errors import AccountError
from service.accounts.grants import EVERYTHING, SCOPES, Grant, grant, stored
from service.limits import KEY_ORIGINS

PAGE = "https://app.example.com"


@pytest.mark.parametrize(
    "given", [EVERYTHING, grant(["upload", "render"]), grant(["render"], [PAGE, f"{PAGE}:8443"], test=True)]
)
def test_a_grant_is_stored_and_read(given: Grant) -> None:
    assert stored(f"{given.mark}abcdefgh", **given.columns) == given


def test_scopes_are_stored_in_one_order() -> None:
    assert grant(["projects", "render"]).columns == {"scopes": "render projects", "origins": None}


def test_scopes_of_a_newer_version_permit_nothing() -> None:
    found = stored("sk_live_abcdefgh", "render films", None)
    assert found == grant(["render"])
    assert not any(stored("sk_live_abcdefgh", "films", None).permits(one) for one in SCOPES)


def test_a_grant_permits_its_scopes() -> None:
    one = grant(["upload"])
    assert {scope for scope in SCOPES if one.permits(scope)} == {"upload"}
    assert not one.permits(None)
    assert all(EVERYTHING.permits(scope) for scope in (*SCOPES, None))
    tests = grant(test=True)
    assert [scope for scope in SCOPES if not tests.permits(scope)] == ["admin"]


def test_an_origin_named_twice_counts_once() -> None:
    assert grant(["render"], [PAGE, PAGE]).origins == (PAGE,)
    many = [f"https://{number}.example.com" for number in range(KEY_ORIGINS)]
    assert len(grant(["render"], many).origins) == KEY_ORIGINS


def test_the_longest_host_name_is_a_valid_origin() -> None:
    longest = "https://" + "a." * 120 + "a" * 5
    assert len(longest) == 253
    assert grant(["render"], [longest]).origins == (longest,)
    with pytest.raises(AccountError, match="not an origin"):
        grant(["render"], [f"{longest}a"])


@pytest.mark.parametrize(
    ("given", "said", "field"),
    [
        ({"scopes": ["films"]}, "expected scopes among render, upload, projects, admin", "scopes"),
        ({"scopes": ["render"], "origins": ["example.com"]}, "not an origin", "origins"),
        ({"scopes": ["render", "upload"], "origins": [PAGE]}, "the scope render, and no other", "scopes"),
        ({"origins": [PAGE]}, "the scope render, and no other", "scopes"),
        ({"scopes": ["admin"], "test": True}, "cannot be used for administration", "scopes"),
    ],
)
def test_refusals_name_the_field(given: dict[str, Any], said: str, field: str) -> None:
    with pytest.raises(AccountError, match=said) as refused:
        grant(**given)
    assert refused.value.member == field
