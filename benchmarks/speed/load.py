"""The HTTP server under load: throughput, latency, event loop, memory, cores, start."""

from __future__ import annotations

import base64
import json
import os
import statistics
import sys
import time

from benchmarks.speed import traffic
from benchmarks.speed.cases import Case
from benchmarks.speed.memory import Peak, pss_mb
from benchmarks.speed.report import Goal, goal_table, table
from benchmarks.speed.server import Served, serving
from benchmarks.speed.traffic import Traffic

MANY = 16
CALLERS = (1, 2, 4, MANY, 64)
USERS = 128
SETTLE_S = 30.0


def measure(screenshot: bytes, quick: bool) -> list[str]:
    """The tables of the second part."""
    lines = ["", "## HTTP server under load", ""]
    if reason := traffic.absent():
        return [*lines, f"- wrk: **absent**, {reason}"]
    case = Case(1920, 1080, "jpeg")
    text = base64.b64encode(screenshot).decode()
    body = json.dumps(
        {"type": "screenshot", "screenshot": {"type": "base64", "src": text}, "settings": case.members}
    ).encode()
    lines += [
        f"{case.name}, raw answers, plates warm, requests of {len(body) / 1e6:.1f} MB, each another user's;",
        "wrk runs on the same cores as the server.",
    ]
    starts = [_start() for _ in range(2 if quick else 3)]
    rows, goals = _callers(body, (1, MANY) if quick else CALLERS, 3 if quick else 6, 5 if quick else SETTLE_S)
    lines += ["", *rows]
    if len(os.sched_getaffinity(0)) > 1:
        found, goal = _scaling(body, 4 if quick else 6, 1 if quick else 5)
        lines += ["", *found]
        goals.append(goal)
    ready = statistics.median(starts)
    goals.append(Goal("start to ready, s", ready, 1.5, least=False))
    return [*lines, "", *goal_table(goals)]


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
    """Throughput of `MANY` callers with the server, and wrk, on one core and on two, in turns; medians."""
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
