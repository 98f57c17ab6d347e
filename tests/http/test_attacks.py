"""Attacks on a real server: the resources that they may take, and how it serves others meanwhile.

The bounds are generous: without the limits that the tests check, attacks took several times as much.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from benchmarks.attacked import target
from benchmarks.attacks.connections import ODDITIES, SMUGGLED, post, upgrade
from benchmarks.attacks.files import FILES
from benchmarks.attacks.line import ENDED, HELD, MOST_S, Target, run
from benchmarks.attacks.list import ATTACKS, Attacker, attacker
from benchmarks.soak import many
from benchmarks.told import told, told_at_once
from benchmarks.watch import watched
from tests.support import pictures
from tests.support.live import SMALL, Live, running
from tests.support.processes import usage
from tests.support.waiting import PATIENCE_S, until

MEGABYTE = 2**20
MEMORY = 512
SECONDS = 2.0
FLOOD_S = 20.0
STALL_S = 1.0
# A busy machine can spoil a test, so it is tried up to this many times.
TRIALS = 5
# Megabytes by which each attack may increase the server's memory. Of the server's 512 MB, bytes in flight may
# take 63, and plates another 63.
CONNECTIONS, BODIES, RENDERS = 60, 120, 350
BOUNDS = {
    "pipelines unread": CONNECTIONS,
    "long content type": CONNECTIONS,
    "content type of a whole head": CONNECTIONS,
    "tiny headers": CONNECTIONS,
    "tiny chunks": CONNECTIONS,
    "9,000 names in a query": CONNECTIONS,
    "names of a whole head": CONNECTIONS,
    "documents unread": CONNECTIONS,
    "viewer unread": CONNECTIONS,
    "viewer taken slowly": CONNECTIONS,
    "previews of strangers": CONNECTIONS,
    "uploads that are too large": CONNECTIONS,
    "bomb": BODIES,
    "bomb behind a text": BODIES,
    "quoted copy": CONNECTIONS,
    "white space for a screenshot": BODIES,
    "escapes": BODIES,
    "lists unread": BODIES,
    "scene of devices": BODIES,
    "scene of white space": BODIES,
    "scene of captions": BODIES,
    "scenes of bombs": RENDERS,
    "png of profiles": RENDERS,
    "png of broken texts": RENDERS,
    "gif of tiny blocks": RENDERS,
    "profiles without end": RENDERS,
    "cmyk jpeg of 24 megapixels": RENDERS,
    "interlaced png of 35 megapixels": RENDERS,
}
# Each of these attacks meets the same limits as another attack in the list, so only `make thorough` runs
# them.
ALIKE = {
    "content type of a whole head",
    "names of a whole head",
    "bomb behind a text",
    "png of broken texts",
    "tiny chunks",
    "viewer taken slowly",
    "previews of strangers",
    "scene of devices",
    "scene of white space",
    # Other attacks in the list do the same as these with more requests.
    "long content type",
    "tiny headers",
    "documents unread",
    "viewer unread",
    "quoted copy",
    "escapes",
    "white space for a screenshot",
    "scenes of bombs",
    "png of profiles",
    "profiles without end",
    "interlaced png of 35 megapixels",
}


@pytest.fixture(scope="module")
def attacking() -> Iterator[Attacker]:
    with attacker() as made:
        yield made


def limited(folder: Path, **settings: str) -> AbstractContextManager[Live]:
    """A server that was given 512 MB."""
    settings = {"MEMORY_BYTES": str(MEMORY * MEGABYTE), "LOG_LEVEL": "info", "RATE_LIMIT": "10000"} | settings
    return running(folder, **settings)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, int]]:
    """A server that all attacks hit in turn, and the bytes of memory that it took before the first."""
    with limited(tmp_path_factory.mktemp("attacked")) as live:
        assert live.mockup().status == 200
        yield live, usage(live.process.pid).pss


@pytest.mark.long(seconds=3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] if name in ALIKE else []) for name in BOUNDS]
)
def test_an_attack_stays_within_its_limits(
    name: str, attacked: tuple[Live, int], attacking: Attacker
) -> None:
    (live, fresh), longest = attacked, []
    aimed = target(live, projects=300 if name == "lists unread" else 0)
    for trial in range(TRIALS):
        logged = live.log.stat().st_size
        with watched(live.address, live.process.pid) as watch:
            found = attacking.begin([name], aimed, SECONDS * (trial + 1)).result()[name]
        assert 500 not in found, found
        assert watch.failed == 0
        # Memory that earlier attacks have left in use counts as well.
        assert watch.peak - fresh < BOUNDS[name] * MEGABYTE, f"{(watch.peak - fresh) / MEGABYTE:.0f} MB"
        assert live.log.stat().st_size - logged < MEGABYTE * (trial + 1)
        assert live.mockup().status == 200
        longest.append(watch.longest)
        # Late responses, or few attacks that arrived, may be due to a busy machine.
        enough = name not in FILES or found.total() - found[HELD] >= 4
        if enough and watch.longest < STALL_S:
            return
    pytest.fail(f"silent for {longest} seconds, {found}")


@pytest.mark.long(seconds=3)
@pytest.mark.thorough
def test_memory_comes_back_after_peaks(tmp_path: Path, attacking: Attacker) -> None:
    with limited(tmp_path, CACHE_BYTES="0") as live:
        assert live.mockup().status == 200
        before, aimed = usage(live.process.pid).pss, target(live, projects=0)
        for name in ("bomb", "pipelines unread", "renders of many users"):
            attacking.begin([name], aimed, SECONDS).result()
        least = f"the return to {before / MEGABYTE:.0f} MB"
        until(lambda: usage(live.process.pid).pss <= before * 1.25, least)


@contextmanager
def under_attack(live: Live, attacking: Attacker, *names: str) -> Iterator[None]:
    """Keep the attacks going for longer than anything that the block measures."""
    lasting = attacking.begin(names, target(live, projects=0), MOST_S)
    time.sleep(SECONDS)
    yield
    assert not lasting.done()
    attacking.end()
    lasting.result()


@pytest.mark.long(seconds=3)
@pytest.mark.thorough
def test_good_requests_succeed_beside_held_connections(tmp_path: Path, attacking: Attacker) -> None:
    with limited(tmp_path, MAX_CONNECTIONS="64") as live:
        assert live.mockup().status == 200
        with under_attack(live, attacking, "tiny headers", "pipelines unread"):
            for _ in range(10):
                assert live.send("GET", "/health").status == 200
                assert live.mockup().status == 200


@pytest.mark.long(seconds=3)
def test_renders_succeed_beside_a_flood_of_previews(attacked: tuple[Live, int], attacking: Attacker) -> None:
    """The flood ends by itself, because a busy machine may answer all of it before it answers the renders."""
    live, _ = attacked
    assert live.send("GET", "/api/v1/devices/iphone-16-pro/preview.png").status == 200
    before = usage(live.process.pid).files
    flood = attacking.begin(["previews"], target(live, projects=0), FLOOD_S)
    until(lambda: flood.done() or usage(live.process.pid).files > before + 100, "the flood")
    assert [live.mockup().status for _ in range(2)] == [200] * 2
    attacking.end()
    flood.result()


@pytest.mark.long(seconds=3)
@pytest.mark.parametrize("name", ["uploads held by one user", "uploads slowed by one user"])
def test_other_users_are_served_beside_many_uploads(
    name: str, attacked: tuple[Live, int], attacking: Attacker
) -> None:
    live, _ = attacked
    text = pictures.text() + " " * 10 * MEGABYTE
    with under_attack(live, attacking, name):
        assert [live.mockup(screenshot_base64=text).status for _ in range(3)] == [200] * 3


@pytest.mark.long(seconds=3)
@pytest.mark.alone
def test_sixty_renders_delay_another_user_only_by_those_under_way(tmp_path: Path) -> None:
    """The test counts the renders that come first, because seconds would depend on the machine."""
    body = {"screenshot_base64": pictures.text(pictures.png(603, 1311)), "settings": {}}
    most = []
    with limited(tmp_path, RENDER_THREADS="2", RATE_LIMIT="60") as live:
        assert live.mockup().status == 200
        for _ in range(TRIALS):
            found = many(live, 60, body, 0.1)
            assert found.statuses == {200: 60}
            assert set(found.others) == {200}
            most.append(max(found.between, default=0))
            # Two renders are under way and two are handed over; some more end at the same time, or are
            # noticed late.
            if most[-1] <= 10:
                return
    pytest.fail(f"{most} renders of another came first")


# The following attacks aim at the response rather than at resources.


@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("offer", ["h2c", "websocket", "anything"])
def test_a_body_after_an_upgrade_header_is_read(server: Live, offer: str, split: bool) -> None:
    """HTTP clients of Java and Kotlin offer such upgrades."""
    body = json.dumps({"screenshot_base64": pictures.text(), "settings": SMALL}).encode()
    ends = (b"Connection: Upgrade, HTTP2-Settings, close", b"Upgrade: " + offer.encode())
    whole = post(body, *ends, key=server.key())
    head = whole[: -len(body)]
    answer = told(server, *((head, body) if split else (whole,)), seconds=30)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.long(seconds=2)
def test_no_request_is_smuggled_after_an_upgrade_header(server: Live) -> None:
    head, body = upgrade()
    answers = told_at_once(server, {"whole": (head + body,), "split": (head, body)}, PATIENCE_S)
    for answer in answers.values():
        assert answer.startswith(b"HTTP/1.1 401 ")
        assert answer.count(b"HTTP/1.1 ") == 1
        assert b"smuggled" not in answer


@pytest.mark.parametrize("name", ["Authorization", "X-Forwarded-For", "X-Request-Id"])
def test_trailers_are_not_used_as_headers(server: Live, name: str) -> None:
    value = {"Authorization": f"Bearer {server.key()}"}.get(name, "203.0.113.77")
    ends = f"2\r\n{{}}\r\n0\r\n{name}: {value}\r\n\r\n".encode()
    request = post(ends, b"Transfer-Encoding: chunked", b"Connection: close", length=b"")
    answer = told(server, request)
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b"MISSING_AUTH" in answer
    assert b"203.0.113.77" not in answer


@pytest.fixture(scope="module")
def odd_answers(server: Live) -> dict[str, bytes]:
    return told_at_once(server, {name: (data,) for name, data in ODDITIES.items()})


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("name", ODDITIES)
def test_oddities(odd_answers: dict[str, bytes], name: str) -> None:
    """At most one response, no 500, and no smuggled request."""
    answer = odd_answers[name]
    statuses = [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]
    final = [status for status in statuses if status != 100]
    assert len(final) <= 1, answer
    assert all(200 <= status < 500 for status in final), answer
    assert b"smuggled" not in answer
    assert len(answer) < MEGABYTE


@pytest.mark.parametrize("digits", [b"9" * 5001, b"0" * 5000 + b"2"], ids=["huge", "small"])
def test_a_length_of_5001_digits_is_too_large(server: Live, digits: bytes) -> None:
    answer = told(server, post(b"", b"Connection: close", length=digits, key=server.key()))
    assert answer.split(b" ")[1] in (b"400", b"413")


def test_many_query_names_are_refused_in_a_few_words(server: Live) -> None:
    query = b"?" + b"&".join(b"n%d" % n for n in range(3000))
    request = post(b"{}", b"Connection: close", key=server.key()).replace(b"mockup", b"mockup" + query, 1)
    answer = told(server, request)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"more than 32 query parameters" in answer
    assert len(answer) < 4096


def test_attacks_stay_on_this_machine() -> None:
    with pytest.raises(ValueError, match="not on this machine"):
        Target("http://192.0.2.1:80").place  # noqa: B018


def test_every_attack_is_answered_as_documented(server: Live) -> None:
    """All attacks that do not need a machine of their own run at once."""
    attacks = [ATTACKS[name] for name in ("oddities", "nonsense", "trailers", "length of 5,001 digits")]
    found = run(attacks, Target(server.address, (server.key(),), server.key("free")), 1.0)
    allowed = {ENDED, HELD, 200, 400, 401, 404, 405, 413, 415, 429, 431, 503}
    for name, seen in found.items():
        assert set(seen) <= allowed, (name, seen)
    assert SMUGGLED not in server.log.read_bytes()
