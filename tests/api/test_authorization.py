"""Keys sent in a wrong form: the error says what was found and how to send the key."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.live import ONE_AT_ONCE, Live, running
from tests.support.waiting import PATIENCE_S

MOCKUP = "/api/v1/mockup"
SEND = "; send the API key as 'Authorization: Bearer <API_KEY>'"


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ("{key}", "The Authorization header has a key but not the scheme Bearer before it"),
        ("Token {key}", "The Authorization header has the scheme Token, not Bearer"),
        ("Basic {key}", "The Authorization header has the scheme Basic, not Bearer"),
        ("Bearer", "The Authorization header has the scheme Bearer but no key"),
        ("Bearer:{key}", "The Authorization header is not in the scheme Bearer"),
        ("hunter2", "The Authorization header is not in the scheme Bearer"),
    ],
)
@pytest.mark.parametrize("path", [MOCKUP, "/api/v1/projects"])
def test_malformed_authorization_headers_are_explained(
    server: Live, key: str, path: str, form: str, found: str
) -> None:
    given = form.format(key=key)
    answer = server.send("POST", path, {}, headers={"Authorization": given})
    assert (answer.status, answer.code) == (401, "MISSING_AUTH")
    assert answer.message == found + SEND
    assert key not in answer.body.decode()
    assert "hunter2" not in answer.body.decode()


def test_a_key_in_another_header(server: Live, key: str) -> None:
    answer = server.send("POST", MOCKUP, {}, headers={"x-api-key": key})
    assert (answer.status, answer.code) == (401, "MISSING_AUTH")
    assert answer.message == "The Authorization header is missing, and X-API-Key is not read" + SEND


@pytest.mark.parametrize("name", ["api_key", "apiKey", "key", "access_token", "x-api-key"])
def test_a_key_in_the_url_is_explained_and_never_logged(server: Live, key: str, name: str) -> None:
    answer = server.send("POST", f"{MOCKUP}?{name}={key}", {})
    assert (answer.status, answer.code) == (401, "MISSING_AUTH")
    assert answer.message.startswith(
        "The Authorization header is missing, and keys are not read from the URL"
    )
    assert key not in answer.body.decode()
    server.send("POST", f"{MOCKUP}?{name}={key}", {}, key=key)
    server.send("GET", f"/api/v1/{key}?{name}={key}")
    server.send("GET", f"/nothing?{name}=secret-in-a-query")
    log = server.log.read_text()
    assert key not in log
    assert "secret-in-a-query" not in log


def test_a_missing_key_is_explained(server: Live) -> None:
    assert server.send("POST", MOCKUP, {}).message == "The Authorization header is missing" + SEND


def test_impossible_keys_are_explained(server: Live, key: str) -> None:
    answer = server.send("POST", MOCKUP, {}, key=f'"{key}"')
    assert (answer.status, answer.code) == (401, "INVALID_API_KEY")
    assert answer.message == "The API key is invalid: a key is sk_live_ or sk_test_ and 43 more characters"
    assert server.send("POST", MOCKUP, {}, key="sk_live_" + "0" * 43).message == (
        "The API key is invalid, revoked or expired"
    )


def test_an_expired_key_is_refused_and_its_last_use_kept(tmp_path: Path) -> None:
    with running(tmp_path, **ONE_AT_ONCE) as live:
        key = live.key()
        assert live.send("GET", "/api/v1/projects", key=key).status == 200
        new, _ = live.accounts.keys.rotate(key, timedelta())
        answer = live.send("GET", "/api/v1/projects", key=key)
        assert (answer.status, answer.code) == (401, "INVALID_API_KEY")
        assert answer.message == "The API key is invalid, revoked or expired"
        assert live.send("GET", "/api/v1/projects", key=new).status == 200
        live.process.terminate()
        assert live.process.wait(PATIENCE_S) == 0
        assert None not in [found.last_used_at for found in live.accounts.keys.list()], "written on stopping"
