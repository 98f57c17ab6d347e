"""The HTTP server under load: throughput, latency, event loop, memory, cores, start."""

from __future__ import annotations

import base64
import json
import math
import os
import statistics
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from benchmarks.speed import traffic
from benchmarks.speed.cases import Case
from benchmarks.speed.memory import Peak, pss_mb
from benchmarks.speed.report import Goal, goal_table, number, table
from benchmarks.speed.server import Served, serving
from benchmarks.speed.traffic import Traffic
from benchmarks.speed.trees import ROOT, serving_tree

MANY = 16
CALLERS = (1, 2, 4, MANY, 64)
USERS = 128
UPLOADERS = 8
CASE = Case(1920, 1080, "jpeg")
FORMS = {"base64": "in base64, each another user's", "upload": f"as an upload by each of {UPLOADERS} users"}
LARGE = 500_000  # bytes from which a screenshot counts as realistic
SETTLE_S = 30.0


def measure(
    screenshot: bytes, others: Mapping[str, bytes], quick: bool, before: Path | None = None
) -> list[str]:
    """The tables of the server under load; `before` is a checkout of another revision to compare with."""
    lines = ["", "## HTTP server under load", ""]
    if reason := traffic.absent():
        return [*lines, f"- wrk: **absent**, {reason}"]
    body = _body("base64", base64.b64encode(screenshot).decode())
    lines += [
        f"{CASE.name}, raw answers, plates warm, requests of {len(body) / 1e6:.1f} MB, each another user's;",
        "wrk runs on the same cores as the server.",
    ]
    starts = [_start() for _ in range(2 if quick else 3)]
    rows, goals = _callers(body, (1, MANY) if quick else CALLERS, 3 if quick else 6, 5 if quick else SETTLE_S)
    lines += ["", *rows]
    rows, found_goals = _by_screenshot(others, 2 if quick else 4, 1 if quick else 3, before)
    lines += ["", *rows]
    goals += found_goals
    if len(os.sched_getaffinity(0)) > 1:
        found, goal = _scaling(body, 4 if quick else 6, 1 if quick else 5)
        lines += ["", *found]
        goals.append(goal)
    ready = statistics.median(starts)
    goals.append(Goal("start to ready, s", ready, 1.5, least=False))
    return [*lines, "", *goal_table(goals)]


def _body(form: str, src: str) -> bytes:
    shot = {"type": form, "src": src}
    return json.dumps({"type": "screenshot", "screenshot": shot, "settings": CASE.members}).encode()


def _by_screenshot(
    others: Mapping[str, bytes], seconds: float, rounds: int, before: Path | None
) -> tuple[list[str], list[Goal]]:
    """Renders per second of `MANY` callers for each screenshot, alternately now and before; medians."""
    trees = [ROOT, *([before.resolve()] if before else [])]
    rows, goals = [], []
    for name, data in others.items():
        for form in FORMS:
            seen: list[list[float]] = [[] for _ in trees]
            for _ in range(rounds):
                for rates, tree in zip(seen, trees, strict=True):
                    rates.append(_rate(data, form, seconds, tree))
            now, *then = (statistics.median(rates) for rates in seen)
            was = then[0] if then else math.nan
            shown = f"{name}, {len(data) / 1e6:.1f} MB, {FORMS[form]}"
            ratio = "–" if math.isnan(now / was) else f"{now / was:.2f}×"
            rows.append([shown, number(now), number(was), ratio])
            if then and form == "base64" and len(data) > LARGE:
                goals.append(Goal(f"renders a second of {name}: now / before", now / was, 1.6))
            print(f"{shown}: {now:.1f} renders/s", file=sys.stderr)
    return table([f"renders/s, {MANY} callers", "now", "before", ""], rows), goals


def _rate(data: bytes, form: str, seconds: float, tree: Path) -> float:
    """Renders per second; NaN for uploads to a revision without uploads."""
    with serving_tree(tree, USERS if form == "base64" else UPLOADERS) as served:
        bodies = [_body("base64", base64.b64encode(data).decode())]
        if form == "upload":
            try:
                bodies = [_body("upload", _uploaded(served, key, data)) for key in served.keys]
            except urllib.error.HTTPError:
                return math.nan
        traffic.send(served.address, bodies, served.keys, MANY, 1)
        return traffic.send(served.address, bodies, served.keys, MANY, seconds).rate


def _uploaded(served: Served, key: str, data: bytes) -> str:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(f"{served.address}/api/v1/screenshots", data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["id"])


def _start() -> float:
    with serving(1, watched=False) as served:
        return served.ready_s


def _callers(
    body: bytes, counts: tuple[int, ...], seconds: float, settle_s: float
) -> tuple[list[str], list[Goal]]:
    rows = []
    with serving(USERS) as served:
        time.sleep(1)
        idle = pss_mb(served.pid)
        traffic.send(served.address, body, served.keys, 2, 1)
        peak, held, late = 0.0, 0.0, 0.0
        for callers in counts:
            served.loop()
            with Peak(served.pid) as most:
                seen = traffic.send(served.address, body, served.keys, callers, seconds)
            loop = served.loop()
            peak = max(peak, most.mb)
            held = max(held, loop["held"]["max"])
            if callers == MANY:
                late = loop["late"]["max"]
            rows.append(_row(seen, most.mb, loop))
            print(f"{callers} callers: {seen.rate:.1f} renders/s", file=sys.stderr)
        time.sleep(settle_s)
        after = pss_mb(served.pid)
    head = ["callers", "renders/s", "p50 ms", "p95 ms", "p99 ms", "refused", "lost", "PSS peak MB"]
    head += ["loop held ms, max (p99)", "loop late ms, max (p99)"]
    memory = f"Memory (PSS of all processes): idle {idle:.0f} MB, peak {peak:.0f} MB, {settle_s:.0f} s later"
    told = (
        "Loop held: processor time its thread used between two ticks of 2 ms. Late: how much longer than 2 "
        "ms a tick took, waiting for the interpreter's lock and a processor included: longest in the first "
        "half second, when the requests of all callers arrive at once."
    )
    goals = [
        Goal("event loop held, ms, most with any number of callers", held, 20, least=False),
        Goal(f"event loop late, ms, most with {MANY} callers", late, 20, least=False),
        Goal("PSS idle, MB", idle, 220, least=False),
        Goal(f"PSS at {counts[-1]} callers, MB", peak, 512, least=False),
        Goal(f"PSS {settle_s:.0f} s later / idle", after / idle, 1.25, least=False),
    ]
    return [*table(head, rows), "", f"{memory} {after:.0f} MB.", "", told], goals


def _row(seen: Traffic, peak: float, loop: dict[str, dict[str, float]]) -> list[str]:
    shown = [str(seen.callers), f"{seen.rate:.1f}", f"{seen.p50:.0f}", f"{seen.p95:.0f}", f"{seen.p99:.0f}"]
    shown += [str(seen.refused), str(seen.errors), f"{peak:.0f}"]
    return shown + [f"{loop[name]['max']:.1f} ({loop[name]['p99']:.1f})" for name in ("held", "late")]


def _scaling(body: bytes, seconds: float, rounds: int) -> tuple[list[str], Goal]:
    """Throughput of `MANY` callers with the server and wrk on one core and on two, alternately; medians."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    seen: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for cores in ({first}, {first, second}):
            with serving(USERS, cores) as served:
                seen[len(cores)].append(_throughput(served, body, seconds, cores))
    rates = {cores: statistics.median(found) for cores, found in seen.items()}
    rows = [[str(cores), f"{rate:.1f}", f"{rate / rates[1]:.2f}×"] for cores, rate in rates.items()]
    return table(["cores of server and wrk", f"renders/s, {MANY} callers", ""], rows), Goal(
        "throughput of two cores / one", rates[2] / rates[1], 1.7
    )


def _throughput(served: Served, body: bytes, seconds: float, cores: set[int]) -> float:
    traffic.send(served.address, body, served.keys, 2, 1, cores)
    return traffic.send(served.address, body, served.keys, MANY, seconds, cores).rate
