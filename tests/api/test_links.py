"""Pictures by link: served, cached, and refused if a link was altered, forged or replayed."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import orjson
import pytest

from service.accounts import links
from service.accounts.errors import AccountError
from service.accounts.grants import grant
from service.accounts.links import Link
from tests.support.live import ONE_AT_ONCE, SMALL, Answer, Live, running, stranger

SETTINGS = orjson.dumps({**SMALL, "device": "iphone-16-pro"})


@pytest.fixture
def signed(server: Live) -> tuple[str, str]:
    """A new user's key and its link secret."""
    key = server.key()
    return key, server.accounts.keys.issue_link_secret(key)[0]


def link(website: str, **changes: object) -> Link:
    return replace(Link(SETTINGS, f"{website}/shot.png", "png"), **changes)  # type: ignore[arg-type]


def get(server: Live, address: str, **headers: str) -> Answer:
    return server.send("GET", address, headers=headers)


def test_a_link_is_the_picture_and_is_cached(server: Live, website: str, signed: tuple[str, str]) -> None:
    key, secret = signed
    address = links.address(secret, link(website))
    before = server.mockup(key, "?output=raw")
    found = get(server, address)
    assert (found.status, found.headers["Content-Type"]) == (200, "image/png"), found.body
    shot = {"type": "url", "src": f"{website}/shot.png"}
    own = {"settings": orjson.loads(SETTINGS), "type": "screenshot", "screenshot": shot}
    same = server.mockup(key, "?output=raw", **own)
    assert found.body == same.body
    assert found.headers["Cache-Control"].startswith("public, max-age=")
    assert found.headers["Cache-Control"].endswith(", immutable")
    assert found.headers["Access-Control-Allow-Origin"] == "*"
    assert found.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert not [name for name in found.headers if name.lower().startswith("x-ratelimit")]
    again = get(server, address)
    assert (again.body, again.headers["ETag"]) == (found.body, found.headers["ETag"])
    assert get(server, address, **{"If-None-Match": found.headers["ETag"]}).status == 304
    assert server.send("HEAD", address).headers["ETag"] == found.headers["ETag"]
    counted = server.mockup(key, "?output=raw")
    # Three requests were counted: the link's first render, the same picture requested with the key, and the
    # last request.
    spent = int(before.headers["X-RateLimit-Remaining"]) - int(counted.headers["X-RateLimit-Remaining"])
    assert spent == 3
    for format, mime in (("jpg", "jpeg"), ("webp", "webp"), ("avif", "avif")):
        other = get(server, links.address(secret, link(website, format=format)))
        assert other.headers["Content-Type"] == f"image/{mime}"


def test_a_picture_whose_file_is_gone_is_rendered_again(
    server: Live, website: str, signed: tuple[str, str]
) -> None:
    key, secret = signed
    address = links.address(secret, link(website))
    first = get(server, address)
    results, caller = server.accounts.results, server.accounts.authenticate(key)
    assert caller is not None
    results.remove_files(results.ids(caller.user_id))
    for _ in range(2):
        again = get(server, address)
        assert (again.status, again.body) == (200, first.body)
        assert [results.path(id).exists() for id in results.ids(caller.user_id)] == [True]


def test_a_client_that_has_a_picture_does_not_get_it_again_once_it_is_deleted(
    server: Live, website: str, signed: tuple[str, str]
) -> None:
    key, secret = signed
    address = links.address(secret, link(website))
    tag = get(server, address).headers["ETag"]
    results, caller = server.accounts.results, server.accounts.authenticate(key)
    assert caller is not None
    for id in results.ids(caller.user_id):
        assert results.remove(caller.user_id, str(id))
    again = get(server, address, **{"If-None-Match": tag})
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)


def test_concurrent_requests_share_one_render(server: Live, website: str, signed: tuple[str, str]) -> None:
    key, secret = signed
    before = server.mockup(key).headers["X-RateLimit-Remaining"]
    many = [links.address(secret, link(website, format="webp"))] * 6
    with ThreadPoolExecutor(6) as pool:
        assert [one.status for one in pool.map(partial(get, server), many)] == [200] * 6
    after = server.mockup(key).headers["X-RateLimit-Remaining"]
    assert int(before) - int(after) == 2, "one render for all six, and this one"


def test_a_link_to_a_project_follows_it(server: Live, website: str, signed: tuple[str, str]) -> None:
    key, secret = signed
    user = server.accounts.authenticate(key)
    assert user is not None
    project = server.accounts.projects.save(user.user_id, "A look", orjson.loads(SETTINGS))
    address = links.address(secret, link(website, settings=str(project.id)))
    first = get(server, address)
    fresh = re.fullmatch(r"public, max-age=(\d+)", first.headers["Cache-Control"])
    assert fresh, "it may change, and is fetched again after a while"
    assert 1 <= int(fresh[1]) <= 300
    server.accounts.projects.replace(project.id, "A look", {**SMALL, "device": "ipad-air-11"})
    second = get(server, address)
    assert second.status == 200
    assert second.headers["ETag"] != first.headers["ETag"]
    theirs = server.accounts.projects.save(server.user().id, "Theirs", SMALL)
    for name, code in ((theirs.id, "PROJECT_ACCESS_DENIED"), (server.user().id, "PROJECT_NOT_FOUND")):
        assert get(server, links.address(secret, link(website, settings=str(name)))).code == code


def test_changed_and_forged_links(server: Live, website: str, signed: tuple[str, str]) -> None:
    key, secret = signed
    mine = link(website)
    address = links.address(secret, mine)
    assert get(server, address).status == 200
    _, path, signature, settings, file = address.split("/")
    larger = links.encoded(orjson.dumps({"canvas": {"width": 4096, "height": 4096}}))
    inside = links.encoded(b"http://169.254.169.254/latest/meta-data")
    elsewhere = server.accounts.keys.issue_link_secret(server.key())[0]
    made_up = f"{links.MARK}{links.new_id()}{'A' * 43}"
    forged = {
        "other settings": f"/{path}/{signature}/{larger}/{file}",
        "another screenshot": f"/{path}/{signature}/{settings}/{inside}.png",
        "another format": f"/{path}/{signature}/{settings}/{file.replace('.png', '.webp')}",
        "a query": f"{address}?size=2",
        "an end": f"{address}?expires=4000000000",
        "an escaped letter": f"/{path}/{signature}/{settings}/%{ord(file[0]):x}{file[1:]}",
        "padding": f"/{path}/{signature}/{settings}=/{file}",
        "no signature": f"/{path}/-/{settings}/{file}",
        "another's id": links.address(elsewhere, mine).replace(elsewhere[8:20], secret[8:20]),
        "a secret of one's own": links.address(made_up, mine),
        "another secret under one's id": links.address(secret[:20] + "A" * 43, mine),
        "a key as the signature": f"/{path}/{key}/{settings}/{file}",
    }
    for what, one in forged.items():
        answer = get(server, one)
        assert (answer.status, answer.code) == (403, "NOT_ALLOWED"), what
        assert "signature" in answer.message, what
    for escape in ("/", "%2f", "/../", "%2e%2e%2f"):
        assert get(server, f"/{path}/{signature}/{settings}/{escape}{file}").status in (403, 404), escape
    client = {"X-Forwarded-For": stranger()}
    guesses = [get(server, f"/{path}/{'x' * 55}/{settings}/{file}", **client) for _ in range(130)]
    assert guesses[-1].status == 429


def test_links_expire(server: Live, website: str) -> None:
    key = server.key()
    keys = server.accounts.keys
    secret, _ = keys.issue_link_secret(key)
    end = int(time.time()) + 600
    found = get(server, links.address(secret, link(website, expires=end)))
    assert found.status == 200
    fresh = re.fullmatch(r"public, max-age=(\d+), immutable", found.headers["Cache-Control"])
    assert fresh
    assert 1 <= int(fresh[1]) <= 600
    over = get(server, links.address(secret, link(website, expires=end - 7200)))
    assert (over.status, over.code) == (403, "NOT_ALLOWED")
    assert "expired on 20" in over.message
    address = links.address(secret, link(website))
    assert get(server, address).status == 200
    rotated, _ = keys.rotate(key, timedelta(0))
    assert get(server, address).status == 200, "a rotated key keeps its links"
    newer, _ = keys.issue_link_secret(rotated)
    assert "newer link secret" in get(server, address).message
    address = links.address(newer, link(website))
    assert get(server, address).status == 200
    keys.revoke(rotated)
    assert get(server, address).code == "NOT_ALLOWED"


def test_faults_in_signed_links_are_named(server: Live, website: str, signed: tuple[str, str]) -> None:
    _, secret = signed
    sliced = orjson.dumps({"canvas": {**SMALL["canvas"], "slices": 2}})
    for what, changed, path in (
        ("settings that are none", {"settings": b'{"shadow": {"blr": 2}}'}, "settings.shadow.blr"),
        ("an export that is none", {"settings": b'{"export": 3}'}, "settings.export"),
        ("slices", {"settings": sliced}, "settings.canvas.slices"),
        ("a page", {"source": f"{website}/page"}, "screenshot.src"),
        ("a file", {"source": "file:///etc/passwd"}, "screenshot.src"),
        ("a format", {"format": "gif"}, "link"),
    ):
        answer = get(server, links.address(secret, link(website, **changed)))
        assert (answer.status, list(answer.details)) == (400, [path]), what
    broken = links.signature(secret, "e30/x.png")
    assert "base64url" in get(server, f"/m/{broken}/e30/x.png").message
    broken = links.signature(secret, "W10/aHR0cA.png")
    assert get(server, f"/m/{broken}/W10/aHR0cA.png").status == 400


def test_some_keys_cannot_sign_links(server: Live, website: str) -> None:
    keys, user = server.accounts.keys, server.user()
    for scopes, origins in ((["upload"], []), (["render"], ["https://app.example.com"])):
        key = keys.issue(user.id, grant=grant(scopes, origins))
        with pytest.raises(AccountError, match="has no links"):
            keys.issue_link_secret(key)
    test = keys.issue(server.user("free").id, grant=grant(["render"], test=True))
    watermarked = get(server, links.address(keys.issue_link_secret(test)[0], link(website)))
    mine = get(server, links.address(keys.issue_link_secret(keys.issue(user.id))[0], link(website)))
    assert watermarked.status == mine.status == 200
    assert watermarked.body != mine.body
    free = keys.issue_link_secret(server.key("free"))[0]
    assert get(server, links.address(free, link(website))).code == "SUBSCRIPTION_REQUIRED"


@pytest.mark.long
def test_links_respect_the_fetch_guard_and_the_rate_limit(tmp_path: Path, website: str) -> None:
    limits = {"ALLOW_PRIVATE_SOURCES": "0", "RATE_LIMIT": "3", "MAX_RESULTS": "1", **ONE_AT_ONCE}
    with running(tmp_path, **limits) as live:
        secret = live.accounts.keys.issue_link_secret(live.key())[0]
        answers = [get(live, links.address(secret, link(website)))]
        answers += [
            get(live, links.address(secret, link(website, source=source)))
            for source in ("http://169.254.169.254/", "http://localhost:8000/shot.png")
        ]
        assert [list(answer.details) for answer in answers] == [["screenshot.src"]] * 3
        limited = get(live, links.address(secret, link(website)))
        assert (limited.status, limited.code) == (429, "RATE_LIMITED")
    with running(tmp_path, **limits | {"ALLOW_PRIVATE_SOURCES": "1"}) as live:
        secret = live.accounts.keys.issue_link_secret(live.key())[0]
        # Only one result is stored; the other is still served, and rendered again each time.
        kept, other = (links.address(secret, link(website, format=one)) for one in ("png", "webp"))
        assert [get(live, one).status for one in (kept, other, kept, other, kept)] == [200] * 5
        assert [get(live, one).status for one in (other, kept)] == [429, 200]
