"""Results that callers fetch by address, and idempotent requests."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from service.api import results
from service.errors import MockupError
from service.settings.rendering import Rendering
from tests.api.application import PICTURE, Application, application
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, SMALL, Live, running
from tests.support.waiting import until


def test_a_result_is_the_picture_at_an_address_that_needs_no_key(server: Live) -> None:
    key = server.key()
    raw = server.mockup(key, "?output=raw")
    made = server.mockup(key, "?output=url")
    assert made.status == 201, made.body
    image = made.json["image"]
    assert image["url"] == made.headers["Location"]
    assert (image["mimeType"], image["bytes"], image["width"]) == ("image/png", len(raw.body), 320)
    left = datetime.fromisoformat(image["expiresAt"]) - datetime.now(UTC)
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    assert made.json["device"]
    found = server.send("GET", image["url"])
    assert found.body == raw.body
    assert found.headers["Content-Type"] == "image/png"
    assert found.headers["Cache-Control"].startswith("public, max-age=3")
    assert found.headers["Cache-Control"].endswith(", immutable")
    assert found.headers["Access-Control-Allow-Origin"] == "*"
    assert found.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in found.headers
    for tags in (found.headers["ETag"], f'W/{found.headers["ETag"]}, "x"', "*"):
        again = server.send("GET", image["url"], headers={"If-None-Match": tags})
        assert (again.status, again.body) == (304, b"")
    assert server.send("GET", image["url"], headers={"If-None-Match": '"x"'}).status == 200
    head = server.send("HEAD", image["url"])
    assert (head.status, head.body, head.headers["ETag"]) == (200, b"", found.headers["ETag"])
    for ending in ("jpg", "exe"):
        wrong = server.send("GET", image["url"].replace(".png", f".{ending}"))
        assert (wrong.status, wrong.code) == (404, "NOT_FOUND"), "it is no such file"
    other = server.mockup(key, "?output=url").json["image"]["url"]
    assert other != image["url"], "not even the same picture has an address that can be told from it"


@pytest.mark.parametrize("slices", [1, 2])
def test_a_stored_scene_lists_its_devices_as_other_responses_do(server: Live, slices: int) -> None:
    shot = {"type": "base64", "src": pictures.text()}
    body = {
        "type": "scene",
        "devices": [{"screenshot": shot, "device": "card"}, {"screenshot": shot, "device": "iphone-16-pro"}],
        "settings": {**SMALL, "layout": "row", "canvas": {**SMALL["canvas"], "slices": slices}},
        "include": ["geometry"],
    }
    key = server.key()
    made, other = (
        server.send("POST", f"/api/v1/mockup?output={output}", json.dumps(body).encode(), key=key)
        for output in ("url", "json")
    )
    assert made.status == 201, made.body
    assert [one["device"] for one in made.json["devices"]] == ["card", "iphone-16-pro"]
    assert made.json["devices"] == other.json["devices"]


def test_slices_have_an_address_each(server: Live) -> None:
    made = server.mockup(query="?output=url", settings={**SMALL, "canvas": {**SMALL["canvas"], "slices": 2}})
    assert made.status == 201, made.body
    assert [server.send("GET", one["url"]).status for one in made.json["images"]] == [200, 200]


@pytest.mark.parametrize(
    "name", ["x", f"{'x' * 43}.png", "x" * 43, f"{'x' * 42}/.png", "..%2f..%2fmockup.db"]
)
def test_unknown_result_addresses_are_404(server: Live, name: str) -> None:
    answer = server.send("GET", f"/api/v1/results/{name}")
    assert (answer.status, answer.code) == (404, "NOT_FOUND")


@pytest.mark.long
def test_results_are_bounded_expire_and_are_shared(tmp_path: Path) -> None:
    uploads = str(tmp_path / "uploads")
    limits = {
        "MAX_RESULTS": "2",
        "RESULT_TTL_S": "2",
        "RATE_LIMIT": "8",
        "UPLOAD_DIR": uploads,
        **ONE_AT_ONCE,
    }
    with running(tmp_path, **limits) as live, running(tmp_path, **limits) as other:
        key = live.key()
        urls = [live.mockup(key, "?output=url").json["image"]["url"] for _ in range(2)]
        assert other.send("GET", urls[0]).status == 200
        full = live.mockup(key, "?output=url")
        assert (full.status, full.code) == (400, "INVALID_REQUEST")
        assert "at most 2 results" in full.message
        assert live.mockup(key, "?output=raw").status == 200
        assert live.mockup(query="?output=url").status == 201
        until(lambda: live.send("GET", urls[0], headers={"X-Forwarded-For": "198.51.100.7"}).status == 404)
        guesses = [
            live.send("GET", f"/api/v1/results/{'y' * 43}.png", headers={"X-Forwarded-For": "198.51.100.8"})
            for _ in range(9)
        ]
        assert [guess.status for guess in guesses] == [404] * 8 + [429]
        assert live.mockup(key, "?output=url").status == 201


def once(name: str) -> dict[str, str]:
    return {"Idempotency-Key": name}


def test_the_same_request_is_answered_once(server: Live) -> None:
    key, other = server.key(), server.key()
    for query in ("", "?output=raw", "?output=url"):
        name = once(f"a key {query}".replace(" ", "-"))
        first = server.mockup(key, query, headers=name)
        again = server.mockup(key, query, headers=name)
        assert first.status in (200, 201), first.body
        assert (again.status, again.body) == (first.status, first.body)
        kept = [
            one
            for one in first.headers
            if one.lower().startswith(("content-t", "location", "x-mockup", "x-dur"))
        ]
        assert kept
        assert [again.headers[one] for one in kept] == [first.headers[one] for one in kept]
        assert again.headers["Idempotency-Replayed"] == "true"
        assert "Idempotency-Replayed" not in first.headers
        assert again.headers["X-RateLimit-Remaining"] == first.headers["X-RateLimit-Remaining"]
        changed = server.mockup(key, query, headers=name, fast=True)
        assert (changed.status, changed.code) == (409, "KEY_REUSED")
        assert changed.headers["X-RateLimit-Remaining"] == first.headers["X-RateLimit-Remaining"]
        assert "Idempotency-Replayed" not in server.mockup(other, query, headers=name).headers
    assert server.mockup(key, "?output=raw", headers=once("a-key-")).code == "KEY_REUSED"


def test_failed_requests_may_be_sent_again(server: Live) -> None:
    key, name = server.key(), once("retry")
    wrong = server.mockup(key, headers=name, screenshot_base64="x")
    assert wrong.status == 400
    assert server.mockup(key, headers=name).status == 200


def test_a_form_is_the_same_with_another_boundary(server: Live) -> None:
    from tests.api.test_form import TYPE, field, form
    from tests.support import pictures

    key, name = server.key(), once("form")
    body = form(field("screenshot", pictures.png(), "a.png"), field("settings", json.dumps(SMALL)))
    answers = [
        server.send("POST", "/api/v1/mockup", sent, key=key, headers={"Content-Type": kind, **name})
        for sent, kind in ((body, TYPE), (body.replace(b"--a b", b"--c"), "multipart/form-data; boundary=c"))
    ]
    assert [answer.status for answer in answers] == [200, 200], answers[1].body
    assert answers[0].body == answers[1].body


@pytest.mark.parametrize("name", ["with space", "x" * 129, "\xe9"])
def test_malformed_idempotency_keys_are_refused(server: Live, key: str, name: str) -> None:
    answer = server.mockup(key, headers=once(name))
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert set(answer.details) == {"Idempotency-Key"}


def test_previews_accept_idempotency_keys(server: Live) -> None:
    key, name = server.key(), once("preview")
    sent: Any = {"settings": SMALL}
    first, again = (server.send("POST", "/api/v1/previews", sent, key=key, headers=name) for _ in range(2))
    assert first.status == 200
    assert again.body == first.body
    assert again.headers["Idempotency-Replayed"] == "true"


def run(app: Application, key: str, count: int, **settings: Any) -> list[Any]:
    async def work() -> list[Any]:
        sent = (app.send(key=key, query="output=raw", headers={"idempotency-key": "k"}) for _ in range(count))
        return list(await asyncio.gather(*sent))

    return asyncio.run(work())


def test_concurrent_repeats_wait_for_the_first_and_count_once(tmp_path: Path) -> None:
    with application(tmp_path, rate_limit=10) as app:
        app.studio.work = lambda clock: time.sleep(0.2)
        replies = run(app, app.key(), 5)
        assert [reply.status for reply in replies] == [200] * 5
        assert {reply.body for reply in replies} == {PICTURE}
        assert len(app.studio.seen) == 1
        assert sum("idempotency-replayed" in reply.headers for reply in replies) == 4
        assert len(app.app.state.services.requests_under_way) == 0


def test_repeats_of_a_failed_request_run_again_and_count(tmp_path: Path) -> None:
    failing = threading.Event()

    def work(clock: Any) -> None:
        if not failing.is_set():
            failing.set()
            raise MemoryError

    with application(tmp_path, rate_limit=10) as app:
        app.studio.work = work
        replies = run(app, app.key(), 3)
        assert sorted(reply.status for reply in replies) == [200, 200, 500]
        assert len(app.studio.seen) == 2


@pytest.mark.long
def test_instances_answer_once_together(tmp_path: Path) -> None:
    uploads = str(tmp_path / "uploads")
    with (
        running(tmp_path, UPLOAD_DIR=uploads, **ONE_AT_ONCE) as one,
        running(tmp_path, UPLOAD_DIR=uploads, **ONE_AT_ONCE) as two,
    ):
        key, found = one.key(), list[Any]()
        threads = [
            threading.Thread(target=lambda live=live: found.append(live.mockup(key, headers=once("both"))))
            for live in (one, two, one, two)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [answer.status for answer in found] == [200] * 4
        assert len({answer.body for answer in found}) == 1
        assert sum("Idempotency-Replayed" in answer.headers for answer in found) == 3


async def test_slices_are_kept_all_or_none(tmp_path: Path) -> None:
    with application(tmp_path, max_results=3) as app:
        services = app.app.state.services
        caller = services.accounts.authenticate(app.key())
        one = Rendering(PICTURE, "image/png", 8, 6, "iphone-16-pro", ())
        assert len(await results.keep(services, caller, one.several([PICTURE] * 2))) == 2
        kept = services.accounts.results.ids(caller.user_id)
        with pytest.raises(MockupError, match="at most 3 results"):
            await results.keep(services, caller, one.several([PICTURE] * 2))
        assert services.accounts.results.ids(caller.user_id) == kept
