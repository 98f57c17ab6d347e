"""Requests from many callers at once, by wrk."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Requests rotate through the users, so that none exceeds its share.
SCRIPT = """
local keys = {%(keys)s}
local bodies = {}
for number = 1, %(bodies)d do
   local file = io.open("%(folder)s/" .. number .. ".json", "rb")
   bodies[number] = file:read("*a")
   file:close()
end
local turn = 0
local threads = 0
function setup(thread)
   thread:set("first", threads)
   threads = threads + 1
end
function request()
   turn = turn + 1
   local user = (first * 37 + turn) %% #keys
   local headers = {["Authorization"] = "Bearer " .. keys[user + 1], ["Content-Type"] = "application/json"}
   return wrk.format("POST", "/api/v1/mockup?output=raw", headers, bodies[user %% #bodies + 1])
end
function done(summary, latency, requests)
   io.write("figures ", string.format(
      '{"requests": %%d, "us": %%d, "refused": %%d, "errors": %%d, "p50": %%d, "p95": %%d, "p99": %%d}\\n',
      summary.requests, summary.duration, summary.errors.status,
      summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
      latency:percentile(50), latency:percentile(95), latency:percentile(99)))
end
"""


@dataclass(frozen=True)
class Traffic:
    """Successful responses per second, latencies in ms, responses without a picture, and lost responses."""

    callers: int
    rate: float
    p50: float
    p95: float
    p99: float
    refused: int
    errors: int


def absent() -> str | None:
    """The reason why traffic cannot be generated; None if it can."""
    return None if shutil.which("wrk") else "wrk is not installed"


def send(
    address: str,
    body: bytes | Sequence[bytes],
    keys: list[str],
    callers: int,
    seconds: float,
    cores: set[int] | None = None,
) -> Traffic:
    """Run several callers, on `cores` if given, each of which sends a request as soon as the previous one was
    answered.

    `body` is a single body for all users, or one for each.
    """
    bodies = [body] if isinstance(body, bytes) else body
    with tempfile.TemporaryDirectory() as name:
        for number, one in enumerate(bodies, 1):
            (Path(name) / f"{number}.json").write_bytes(one)
        script = Path(name) / "script.lua"
        quoted = ", ".join(f'"{key}"' for key in keys)
        script.write_text(SCRIPT % {"keys": quoted, "bodies": len(bodies), "folder": name})
        command = ["wrk", "--threads", "1", "--connections", str(callers), "--duration", f"{seconds:g}s"]
        command += ["--timeout", "60s", "--script", str(script), address]
        if cores:
            command = ["taskset", "--cpu-list", ",".join(map(str, sorted(cores))), *command]
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 90, check=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("figures "))
    return parsed(callers, json.loads(line.removeprefix("figures ")))


def parsed(callers: int, figures: dict[str, int]) -> Traffic:
    """wrk's figures, which are in microseconds, in our units."""
    good = figures["requests"] - figures["refused"]
    p50, p95, p99 = (figures[name] / 1e3 for name in ("p50", "p95", "p99"))
    rate = good / (figures["us"] / 1e6)
    return Traffic(callers, rate, p50, p95, p99, figures["refused"], figures["errors"])
