"""Thousands of mixed renders on a real server: all responses are documented, memory and files do not grow.

Then a tenfold overload, slow clients beside good ones, one user's many renders beside another's, and attacks.
Each part is also a test, in a shorter form.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import platform
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import attacked, load
from service.settings.formats import WRITTEN
from tests.faults.bombs import BOMBS
from tests.support import pictures
from tests.support.live import SERVICE, Live, running
from tests.support.processes import Usage, usage

RESULTS = Path(__file__).parent / "results"
DEVICES = (
    "iphone-16-pro",
    "iphone-15-pro-max",
    "pixel-9-pro",
    "ipad-pro-11-m4",
    "browser-chrome-light",
    "auto",
)
FORMATS = [one.name for one in WRITTEN]
BACKGROUNDS = ("#F2F3F5", "transparent", "#102030")
DOCUMENTED = {200, 400}
MEGABYTE = 2**20
# Excluded from repeated files, because they occupy a decoder for long.
QUICK_BOMBS = ("svg", "psd", "png of 64000 x 64000", "gif of 1000 frames")


@dataclass
class Soak:
    """The record of a soak: responses by status, and memory and open files over time."""

    statuses: Counter[int] = field(default_factory=Counter)
    samples: list[tuple[int, Usage]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def settled(self) -> list[tuple[int, Usage]]:
        """The second half; caches fill up to their limits in the first half."""
        return self.samples[len(self.samples) // 2 :]

    def memory_slope(self) -> float:
        """Bytes per thousand renders, by least squares."""
        return slope([(n, seen.pss) for n, seen in self.settled])

    def files_slope(self) -> float:
        """Open files per thousand renders, by least squares."""
        return slope([(n, seen.files) for n, seen in self.settled])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the regression line through `points`, per thousand steps."""
    if len(points) < 2:
        return 0.0
    x0, y0 = (sum(values) / len(points) for values in zip(*points, strict=True))
    over = sum((x - x0) ** 2 for x, _ in points)
    return 1000 * sum((x - x0) * (y - y0) for x, y in points) / over if over else 0.0


def mixed(rng: random.Random, shots: Sequence[str], bombs: Sequence[str]) -> dict[str, Any]:
    """A random request; one in twelve is hostile."""
    if rng.random() < 1 / 12:
        return {"screenshot_base64": rng.choice(bombs)}
    return {
        "screenshot_base64": rng.choice(shots),
        "fast": rng.random() < 0.3,
        "settings": {
            "device": rng.choice(DEVICES),
            "canvas": {"width": rng.randrange(160, 420, 20), "height": rng.randrange(120, 320, 20)},
            "appearance": {"backgroundColor": rng.choice(BACKGROUNDS)},
            "deviceTransform": {
                "rotationY": rng.randrange(-60, 61, 5),
                "rotationX": rng.randrange(-20, 21, 5),
            },
            "shadow": {"enabled": rng.random() < 0.7},
            "postProcessing": {"bloom": rng.random() < 0.3, "grain": rng.random() < 0.3},
            "export": {"format": rng.choice(FORMATS), "quality": rng.randrange(40, 96, 5)},
        },
    }


def soak(live: Live, renders: int, callers: int = 2, every: int = 20, seconds: float = float("inf")) -> Soak:
    """Send `renders` mixed requests, or as many as `seconds` allow, measuring after `every` of them."""
    rng = random.Random(1)
    shots = [pictures.text(pictures.png(200 + 40 * n, 420 + 30 * n)) for n in range(6)]
    bombs = [pictures.text(BOMBS[name]()) for name in QUICK_BOMBS]
    keys = [live.key() for _ in range(callers)]
    found, start, done = Soak(), time.perf_counter(), 0
    while done < renders and time.perf_counter() - start < seconds:
        batch = min(every, renders - done)
        bodies = [mixed(rng, shots, bombs) for _ in range(batch)]
        tally = asyncio.run(_batch(live, keys, bodies))
        found.statuses += tally.statuses
        done += batch
        found.samples.append((done, usage(live.process.pid)))
    found.seconds = time.perf_counter() - start
    return found


async def _batch(live: Live, keys: Sequence[str], bodies: Sequence[dict[str, Any]]) -> load.Tally:
    left = list(enumerate(bodies))

    async def work(callers: load.Callers) -> None:
        async def caller() -> None:
            while left:
                await callers.ask(left.pop()[0])

        await asyncio.gather(*(caller() for _ in keys))

    return await load.tallied(live.address, load.taking_turns(keys, bodies), work)


@dataclass
class Flood:
    """The results of four callers, of ten times as many, and of four callers again.

    `refusals` has the server's own counts of refusals within some seconds of a request's head.
    """

    before: load.Tally
    during: load.Tally
    after: load.Tally
    refusals: dict[float, float]

    def within(self, seconds: float) -> float:
        """The share of refusals within `seconds`, one of the server's histogram bounds."""
        return self.refusals[seconds] / self.refusals[math.inf]


def flooded(live: Live, seconds: float, body: dict[str, Any]) -> Flood:
    """Run a flood for `seconds`, with the usual load before and after it."""
    make = load.taking_turns([live.key() for _ in range(20)], [json.dumps(body).encode()])
    load.call(live.address, make, 4, 2)
    before = load.call(live.address, make, 4, min(15.0, seconds))
    flood = load.offer(live.address, make, 10 * before.rate, seconds)
    return Flood(before, flood, load.call(live.address, make, 4, min(15.0, seconds)), refusals(live))


def refusals(live: Live) -> dict[float, float]:
    """Refusals due to a full queue since the server's start, by the seconds within which they were sent."""
    bucket = r'^mockup_refusal_seconds_bucket\{le="(.+)"\} (.+)$'
    found = re.findall(bucket, live.figures(), re.MULTILINE)
    return {float(bound): float(count) for bound, count in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="most time for the renders")
    parser.add_argument("--flood", type=float, default=60.0, help="seconds of ten times overload")
    parser.add_argument("--slow", type=int, default=1000, help="slow clients beside good ones")
    parser.add_argument("--many", type=int, default=60, help="renders of one user at once beside another's")
    parser.add_argument("--attack", type=float, default=10.0, help="seconds of each attack")
    parser.add_argument("--attacks", type=float, default=120.0, help="seconds of all attacks at once")
    parser.add_argument("--screenshot", type=Path, help="what a user sends beside them; else one is drawn")
    arguments = parser.parse_args()
    # Start from scratch: the measurement of memory must not count pages as shared with a process that has
    # loaded the same modules.
    scratch = partial(running, program=SERVICE)
    lines = [
        f"# Soak of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "",
        f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} when it began; "
        f"Python {platform.python_version()}",
        "",
    ]
    screenshot = arguments.screenshot.read_bytes() if arguments.screenshot else pictures.png(1206, 2622)
    if arguments.renders:
        with tempfile.TemporaryDirectory() as folder, scratch(Path(folder), RATE_LIMIT="1000000") as live:
            lines += _renders(soak(live, arguments.renders, seconds=arguments.seconds))
    if arguments.flood:
        settings = {
            "RATE_LIMIT": "1000000",
            "LOG_LEVEL": "info",
            "METRICS_PORT": "0",
        }
        with tempfile.TemporaryDirectory() as folder, scratch(Path(folder), **settings) as live:
            lines += _flood(live, arguments.flood)
    if arguments.slow:
        with tempfile.TemporaryDirectory() as folder, scratch(Path(folder), RATE_LIMIT="1000000") as live:
            lines += _slow(live, arguments.slow)
    if arguments.many:
        with tempfile.TemporaryDirectory() as folder, scratch(Path(folder)) as live:
            lines += _many(live, arguments.many, screenshot)
    if arguments.attack or arguments.attacks:
        with tempfile.TemporaryDirectory() as folder:
            found = attacked.attacked(Path(folder), screenshot, arguments.attack, arguments.attacks)
            lines += attacked.report(found)
    text = "\n".join(lines) + "\n"
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{datetime.now(UTC):%Y-%m-%d}-soak.md").write_text(text, encoding="utf-8")


@dataclass
class Many:
    """The responses to a user who sent many renders at once, and to another who sent one after another.

    `between` counts the first user's renders during each of the second's.
    """

    statuses: Counter[int] = field(default_factory=Counter)
    others: Counter[int] = field(default_factory=Counter)
    spent: list[float] = field(default_factory=list)
    between: list[int] = field(default_factory=list)


def many(live: Live, count: int, body: dict[str, Any], pause: float) -> Many:
    """Send `count` renders of one user at once, and meanwhile renders of another, `pause` seconds apart."""
    found, greedy, modest = Many(), live.key(), live.key()
    with ThreadPoolExecutor(count) as callers:

        def ask() -> None:
            status = live.mockup(greedy, "?output=raw", **body).status
            found.statuses[status] += 1

        asked = [callers.submit(ask) for _ in range(count)]
        wait(asked, return_when=FIRST_COMPLETED)
        while not all(one.done() for one in asked):
            before, start = found.statuses.total(), time.perf_counter()
            found.others[live.mockup(modest, "?output=raw", **body).status] += 1
            found.spent.append(time.perf_counter() - start)
            found.between.append(found.statuses.total() - before)
            time.sleep(pause)
        for one in asked:
            one.result()
    return found


def _many(live: Live, count: int, screenshot: bytes) -> list[str]:
    settings = {"export": {"format": "jpeg"}}
    body: dict[str, Any] = {"screenshot_base64": pictures.text(screenshot), "settings": settings}
    live.mockup(**body)
    start = time.perf_counter()
    live.mockup(**body)
    alone = time.perf_counter() - start
    found = many(live, count, body, 1.0)
    return [
        f"## {count} renders of one user at once beside another's",
        "",
        "| measure | value |",
        "| --- | --- |",
        f"| the one's answers | {dict(found.statuses)} |",
        f"| the other's answers | {dict(found.others)} |",
        f"| the other's time alone, longest meanwhile | {alone:.2f}, {max(found.spent):.2f} s |",
        f"| the one's pictures made during each of the other's, at most | {max(found.between)} |",
        "",
    ]


def _renders(found: Soak) -> list[str]:
    first, last = found.samples[0][1], found.samples[-1][1]
    peak = max(seen.pss for _, seen in found.samples)
    wrong = {status: count for status, count in found.statuses.items() if status not in DOCUMENTED}
    step = max(1, len(found.samples) // 12)
    return [
        "## Mixed renders",
        "",
        f"{found.statuses.total()} requests in {found.seconds:.0f} s: {dict(found.statuses)}; "
        f"not documented: {wrong or 'none'}.",
        "",
        "| measure | value |",
        "| --- | --- |",
        f"| PSS of all processes, first, last, peak | {first.pss / MEGABYTE:.0f}, {last.pss / MEGABYTE:.0f}, "
        f"{peak / MEGABYTE:.0f} MB |",
        f"| PSS a thousand renders, second half | {found.memory_slope() / MEGABYTE:+.2f} MB |",
        f"| open files, first, last | {first.files}, {last.files} |",
        f"| open files a thousand renders, second half | {found.files_slope():+.2f} |",
        "",
        "| renders | " + " | ".join(str(n) for n, _ in found.samples[::step]) + " |",
        "| --- |" + " --- |" * len(found.samples[::step]),
        "| MB | " + " | ".join(f"{seen.pss / MEGABYTE:.0f}" for _, seen in found.samples[::step]) + " |",
        "| files | " + " | ".join(str(seen.files) for _, seen in found.samples[::step]) + " |",
        "",
    ]


def _flood(live: Live, seconds: float) -> list[str]:
    body = {
        "screenshot_base64": pictures.text(pictures.png(603, 1311)),
        "settings": {"export": {"format": "jpeg"}},
    }
    found = flooded(live, seconds, body)
    before, flood, after = found.before, found.during, found.after
    usual = (before.rate + after.rate) / 2
    times = ", ".join(f"{1e3 * flood.quantile(503, share):.0f}" for share in (0.5, 0.95, 0.99))
    late = ", ".join(f"{1e3 * load.quantile(flood.late, share):.0f}" for share in (0.5, 0.95, 0.99))
    shares = ", ".join(f"{found.within(bound):.2%}" for bound in (0.002, 0.005, 0.02))
    return [
        f"## Ten times overload for {seconds:.0f} s, 1920 x 1080 JPEG",
        "",
        "| measure | value |",
        "| --- | --- |",
        f"| pictures a second before, after, in it | {before.rate:.1f}, {after.rate:.1f}, {flood.rate:.1f} |",
        f"| share of the throughput without it | {flood.rate / usual:.0%} |",
        f"| answers | {dict(flood.statuses)} |",
        f"| refused by the server within 2, 5, 20 ms of the request's head | {shares} |",
        f"| 503 at the client after, median, 95 %, 99 % | {times} ms |",
        f"| the client's own waiting for a CPU then, median, 95 %, 99 % | {late} ms |",
        f"| 200 after, median, 99 % | {flood.quantile(200, 0.5):.2f}, {flood.quantile(200, 0.99):.2f} s |",
        "",
    ]


def _slow(live: Live, count: int) -> list[str]:
    from tests.faults.test_slow_clients import beside, good

    alone = good(live, 8)
    tally, connected = asyncio.run(beside(live, count, 8))
    return [
        f"## {connected} slow clients beside 20 good ones",
        "",
        "| measure | alone | beside them |",
        "| --- | --- | --- |",
        f"| answers | {dict(alone.statuses)} | {dict(tally.statuses)} |",
        f"| pictures a second | {alone.rate:.1f} | {tally.rate:.1f} |",
        f"| median time | {alone.quantile(200, 0.5):.2f} s | {tally.quantile(200, 0.5):.2f} s |",
        f"| memory then | | {usage(live.process.pid).pss / MEGABYTE:.0f} MB |",
        "",
    ]


if __name__ == "__main__":
    main()
