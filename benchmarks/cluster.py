"""`make cluster`: three instances, one PostgreSQL and one Redis behind nginx, then behind HAProxy.

All are real processes on this machine's loopback. Each part is also a test, in a shorter form.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.attacks.connections import ATTACKS as CONNECTIONS
from benchmarks.attacks.connections import ODDITIES, post, upgrade
from benchmarks.attacks.line import ENDED, HELD, Target
from benchmarks.attacks.list import Attacker, attacker
from benchmarks.clustered import (
    INSTANCES,
    LIMIT,
    PROXIES,
    Cluster,
    Kind,
    cluster,
    load,
    missing,
    proxied,
)
from benchmarks.told import told_at_once
from benchmarks.watch import watched
from tests.support import pictures
from tests.support.live import SMALL, Answer, Live
from tests.support.processes import usage
from tests.support.waiting import until

RESULTS = Path(__file__).parent / "results"
MEGABYTE = 2**20
BURST = 200
CALLERS = 9
UPLOADS = "/api/v1/screenshots"
# 223 kB, more than a proxy's small buffer holds.
SCREENSHOT = Path(__file__).parent.parent / "frames" / "samples" / "screenshot.png"
REVOKED_S = 30.0
# Attacks that a proxy can stop, or must at least not make worse: unusual and invalid HTTP, and held bodies.
ATTACKED = (*(attack.name for attack in CONNECTIONS), "uploads held by one user")
# Memory that one instance and the proxy may each gain.
MOST_GROWN = 120 * MEGABYTE
# Responses of a proxy that rejects the request itself.
UNSUPPORTED = {501, 505}
# If chunks end in bare line feeds, proxies take what follows for another request, so two responses are
# correct.
TWO_REQUESTS = {"chunks of line feeds"}


# Numbers of plates that are requested, and how often each is requested once the caches are full.
PLATES, TURNS = (10, 20, 45), 3
# This cache has room for 15 plates of SMALL pictures, as the default cache has for 15 plates of 1920 x 1080.
SMALL_CACHE = 15 * MEGABYTE // 2


class FaultError(Exception):
    """A check that failed."""


@dataclass
class Report:
    """Lines of the result, printed as they come."""

    rows: list[tuple[str, str]] = field(default_factory=list)

    def check(self, ok: object, what: str, found: str) -> None:
        """Print and keep a row; raises FaultError if the check failed."""
        print(f"{'ok  ' if ok else 'FAIL'}  {what}: {found}", flush=True)
        self.rows.append((what, found))
        if not ok:
            raise FaultError(f"{what}: {found}")


def said(statuses: Counter[int]) -> str:
    """Statuses and their counts."""
    names = {ENDED: "hung up", HELD: "held"}
    return ", ".join(f"{count} × {names.get(status, status)}" for status, count in sorted(statuses.items()))


def burst(behind: Cluster, report: Report, count: int = BURST) -> None:
    """Send many requests of one user at once, each on its own connection."""
    front = behind.front
    key = front.key()
    with ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(lambda _: front.mockup(key, "?output=raw").status, range(count)))
    found = Counter(answers)
    expected = Counter({200: LIMIT, 429: count - LIMIT})
    text = said(found)
    if alone := sum("rate limits are local" in one.live.log.read_text() for one in behind.instances):
        text += f"; {alone} instances did not reach Redis and counted alone"
    report.check(found == expected, f"{count} requests of one user at once, {LIMIT} allowed", text)


def send(live: Live, key: str, data: bytes) -> Answer:
    """Upload a screenshot."""
    return live.send("POST", UPLOADS, data, key=key, headers={"Content-Type": "image/png"})


def render(live: Live, key: str, upload: str) -> Answer:
    """Render an upload."""
    return live.mockup(key, "?output=raw", type="screenshot", screenshot={"type": "upload", "src": upload})


def uploads(behind: Cluster, report: Report, most: int) -> None:
    """Render an upload at instances that it was not sent to; the limits on uploads hold across all
    instances."""
    first, *others = [instance.live for instance in behind.instances]
    key, stranger = first.key(), first.key()
    upload = send(first, key, pictures.png()).json["id"]
    made = [render(live, key, upload) for live in (first, *others)]
    same = {answer.status for answer in made} == {200} and len({answer.body for answer in made}) == 1
    report.check(same, "uploaded at one instance, rendered at each", "the same picture")
    found = [live.send("GET", f"{UPLOADS}/{upload}", key=stranger).status for live in others]
    found += [render(live, stranger, upload).status for live in others]
    report.check(set(found) == {404, 400}, "another user's upload", "unknown everywhere")
    with ThreadPoolExecutor(3 * most) as pool:
        lives = [first, *others] * most
        statuses = Counter(answer.status for answer in pool.map(lambda at: send(at, key, _png()), lives))
    expected = Counter({201: most - 1, 400: 2 * most + 1})
    report.check(
        statuses == expected, f"{3 * most} uploads at all instances at once, {most} allowed", said(statuses)
    )
    gone = others[0].send("DELETE", f"{UPLOADS}/{upload}", key=key).status
    left = {render(live, key, upload).status for live in (first, *others)}
    report.check((gone, left) == (204, {400}), "deleted at another instance", "gone everywhere")


def _png() -> bytes:
    return pictures.png(60, 130)


def killed(behind: Cluster, kind: Kind, report: Report, screenshot: bytes, seconds: float) -> None:
    """Kill an instance while it renders."""
    victim = behind.instances[1]
    with load(behind.front, CALLERS, screenshot) as made:
        time.sleep(seconds)
        until(lambda: victim.figure("renders_held") > 0, "a render")
        victim.live.process.kill()
        # Until the instance has ended, the system accepts connections to it.
        victim.live.process.wait()
        moment = time.monotonic()
        time.sleep(seconds)
    victim.stop()
    late = [one for one in made.lost if one[0] > moment]
    count = f"{len(made.requests)} requests, {len(made.lost)} lost, {len(late)} of those begun later"
    # nginx has buffered the whole request, so it can send it to another instance.
    most = 0 if kind == "nginx" else CALLERS
    report.check(not late and len(made.lost) <= most, "an instance killed under load", count)
    victim.start()


def restarted(behind: Cluster, report: Report, screenshot: bytes) -> None:
    """Restart each instance in turn while requests arrive."""
    with load(behind.front, CALLERS, screenshot) as made:
        for instance in behind.instances:
            done = len(made.requests)
            instance.stop()
            instance.start()
            # Wait until the balancer has noticed that the instance is back.
            time.sleep(2.5)
            until(lambda at=done: len(made.requests) >= at + CALLERS, "more requests")  # type: ignore[misc]
    count = f"{len(made.requests)} requests, {len(made.lost)} lost"
    report.check(not made.lost, "all instances restarted in turn under load", count)


def revoked(behind: Cluster, report: Report) -> None:
    """Revoke a key that is in use."""
    front, key = behind.front, behind.front.key()
    lives = [instance.live for instance in behind.instances]
    for live in lives:
        assert live.mockup(key).status == 200
    behind.accounts.keys.revoke(key)
    begun, spent = time.monotonic(), []
    for live in lives:
        until(lambda at=live: at.mockup(key).status == 401, "the refusal")  # type: ignore[misc]
        spent.append(time.monotonic() - begun)
    through = {front.mockup(key).status for _ in range(6)}
    found = f"refused everywhere {max(spent):.1f} s later"
    report.check(through == {401} and max(spent) < REVOKED_S, "a key revoked", found)


def odd(behind: Cluster, report: Report) -> None:
    """Send each malformed request once. It must get at most one response, and must not smuggle a request past
    the proxy.

    A proxy would not return the response to a request that it has not seen.
    """
    head, body = upgrade()
    asked: dict[str, Sequence[bytes]] = {name: (data,) for name, data in ODDITIES.items()}
    asked |= {"upgrade, whole": (head + body,), "upgrade, split": (head, body)}
    trailer = b"2\r\n{}\r\n0\r\nAuthorization: Bearer %s\r\n\r\n" % behind.front.key().encode()
    chunked = b"Transfer-Encoding: chunked"
    asked["a key in a trailer"] = (post(trailer, chunked, b"Connection: close", length=b""),)
    asked["101 headers"] = (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 101 + b"\r\n",)
    faults, smuggled = [], 0
    for name, answer in told_at_once(behind.front, asked).items():
        statuses = [int(part[2:5]) for part in answer.split(b"HTTP/1.")[1:]]
        final = [status for status in statuses if status != 100]
        fine = all(200 <= status < 500 or status in UNSUPPORTED for status in final)
        if not fine or len(final) > 1 + (name in TWO_REQUESTS):
            faults.append(f"{name} {final}")
        if name == "a key in a trailer" and final not in ([401], [400]):
            faults.append(f"{name} {final}")
        smuggled -= answer.lower().count(b"x-request-id: smuggled")
    smuggled += sum(one.live.log.read_text().count('"request_id": "smuggled"') for one in behind.instances)
    if smuggled:
        faults.append(f"{smuggled} requests past the proxy")
    found = ", ".join(faults) or "one answer each, none 500, none past the proxy"
    report.check(not faults, f"{len(asked)} odd requests", found)


def attacked(behind: Cluster, proxy: int, attacking: Attacker, report: Report, seconds: float) -> None:
    """Attack for some seconds each while a user renders; the memory of instances and proxy is bounded."""
    front = behind.front
    aimed = Target(front.address, tuple(front.key() for _ in range(8)), front.key("free"))
    pids = [*(instance.live.process.pid for instance in behind.instances), proxy]
    before, worst, slowest = [usage(pid).pss for pid in pids], 0, 0.0
    for name in ATTACKED:
        with watched(front.address, proxy) as watch:
            lasting = attacking.begin([name], aimed, seconds)
            good = {own(front, f"own-{turn}") for turn in range(3)}
            found = lasting.result()[name]
        after = [usage(pid).pss for pid in pids]
        grown = max(now - then for now, then in zip(after, before, strict=True))
        worst, slowest = max(worst, grown), max(slowest, watch.longest)
        text = (
            f"{said(found)}; /health failed {watch.failed} of {len(watch.spent)}, {grown // MEGABYTE} MB more"
        )
        ok = good == {True} and not watch.failed and 500 not in found and grown < MOST_GROWN
        report.check(ok, f"attack: {name}", text)
    report.check(worst < MOST_GROWN, "memory after all attacks", f"at most {worst // MEGABYTE} MB more")


def own(front: Live, name: str) -> bool:
    """Whether a render is answered by the response to this very request."""
    answer = front.mockup(headers={"X-Request-Id": name})
    return answer.status == 200 and answer.headers["X-Request-Id"] == name


def plates(behind: Cluster, counts: Sequence[int], turns: int) -> list[tuple[int, float, float]]:
    """For each number of plates, the cache's hit rate and the pictures per second."""
    front, found = behind.front, []
    names = ("hits_total", "misses_total")

    def figures() -> list[float]:
        return [
            sum(one.figure(rf'cache_{name}\{{cache="plates"\}}') for one in behind.instances)
            for name in names
        ]

    for count in counts:
        order = [number for _ in range(turns + 1) for number in range(count)]
        random.Random(count).shuffle(order)
        keys = iter([front.key() for _ in range(len(order) + INSTANCES * count)])

        def ask(number: int, live: Live = front, count: int = count, keys: Iterator[str] = keys) -> None:
            pose: dict[str, Any] = {"deviceTransform": {"rotationY": round(-40 + 80 * number / count, 3)}}
            plate = {"X-Mockup-Plate": f"{count} {number}"}
            answer = live.mockup(next(keys), "?output=raw", headers=plate, settings=SMALL | pose)
            assert answer.status == 200, answer.body

        with ThreadPoolExecutor(INSTANCES) as pool:
            # Request each plate once at each instance and once through the proxy; these do not count.
            for instance in behind.instances:
                list(pool.map(lambda number, at=instance.live: ask(number, at), range(count)))
            list(pool.map(ask, order[:count]))
            before, begun = figures(), time.monotonic()
            list(pool.map(ask, order[count:]))
            spent = time.monotonic() - begun
        hits, misses = (now - then for now, then in zip(figures(), before, strict=True))
        found.append((count, hits / max(1, hits + misses), (len(order) - count) / spent))
        print(f"      {count} plates: {found[-1][1]:.0%} kept, {found[-1][2]:.1f}/s", flush=True)
    return found


def report_of(kinds: Sequence[Kind], options: argparse.Namespace) -> list[str]:
    """Run everything; returns lines of Markdown."""
    screenshot, lines = SCREENSHOT.read_bytes(), list[str]()
    with attacker() as attacking:
        for kind in kinds:
            print(f"behind {kind}", flush=True)
            report = Report()
            # HAProxy needs time to notice by its checks that an instance is stopping; nginx has no checks.
            settings = {"DRAIN_S": "5" if kind == "haproxy" else "0", "MAX_UPLOADS": "10"}
            with (
                tempfile.TemporaryDirectory() as name,
                cluster(Path(name), **settings) as behind,
                proxied(kind, behind) as (front, proxy),
            ):
                burst(front, report)
                uploads(front, report, 10)
                revoked(front, report)
                killed(front, kind, report, screenshot, options.seconds)
                restarted(front, report, screenshot)
                odd(front, report)
                attacked(front, proxy, attacking, report, options.seconds)
            rows = [f"| {what} | {found} |" for what, found in report.rows]
            lines += [f"## Behind {kind}", "", "| what | found |", "| --- | --- |", *rows, ""]
    return lines


def report_of_plates(counts: Sequence[int]) -> list[str]:
    """Measure HAProxy's methods to choose an instance; returns lines of Markdown."""
    rows = dict[str, list[tuple[int, float, float]]]()
    with tempfile.TemporaryDirectory() as name:
        settings = {"CACHE_BYTES": str(SMALL_CACHE)}
        with cluster(Path(name), **settings) as behind:
            for by_plate in (False, True):
                title = "by plate" if by_plate else "least connections"
                print(f"plates, {title}", flush=True)
                with proxied("haproxy", behind, by_plate=by_plate) as (front, _):
                    rows[title] = plates(front, counts, TURNS)
            size = max(one.figure(r'cache_bytes\{cache="plates"\}') for one in behind.instances)
    least, hashed = rows.values()
    lines = [
        "## Choosing the instance by plate",
        "",
        f"HAProxy before {INSTANCES} instances that each keep {size / MEGABYTE:.1f} MiB of small plates, "
        f"each plate asked for {TURNS} times in random order, after all were made at each instance.",
        "",
        "| plates | found in the cache: least connections | by plate | pictures a second: least connections "
        "| by plate |",
        "| --- | --- | --- | --- | --- |",
    ]
    for (count, had, rate), (_, had_hashed, rate_hashed) in zip(least, hashed, strict=True):
        lines.append(f"| {count} | {had:.0%} | {had_hashed:.0%} | {rate:.1f} | {rate_hashed:.1f} |")
    return [*lines, ""]


def main() -> None:
    """Run all parts and write the result; exits with 1 at the first fault."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__)
    parser.add_argument("--only", choices=[*PROXIES, "plates"], help="one part, without writing the result")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each attack and before each kill")
    options = parser.parse_args()
    if absent := missing():
        sys.exit(f"not installed: {', '.join(absent)}")
    lines = [
        f"# Cluster of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "",
        f"`make cluster` on {os.cpu_count()} CPUs, Python {platform.python_version()}, load "
        f"{os.getloadavg()[0]:.0f}: {INSTANCES} instances of one renderer each, one PostgreSQL, one Redis, "
        "all real processes on the loopback.",
        "",
    ]
    try:
        if options.only != "plates":
            lines += report_of((options.only,) if options.only else PROXIES, options)
        if options.only in (None, "plates"):
            lines += report_of_plates(PLATES)
    except FaultError as error:
        sys.exit(str(error))
    text = "\n".join(lines)
    print(text)
    if options.only is None:
        (RESULTS / f"{datetime.now(UTC):%Y-%m-%d}-cluster.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
