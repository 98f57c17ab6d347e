"""`make clients`: the overhead of the clients for Python and JavaScript over curl, and the time of a link.

All send the same form, each call with a new `Idempotency-Key`, over a persistent connection. The clients take
turns. The report gives medians of the differences from curl's calls of the same turn, and each client's own
processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed import machine
from benchmarks.speed.report import table
from service.accounts import links
from service.accounts.links import Link
from tests.commands.web import served
from tests.support.live import Live, running

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).parent / "results"
SAMPLE = ROOT / "frames" / "samples" / "screenshot.png"
SETTINGS = {"canvas": {"width": 640, "height": 480}, "export": {"format": "jpeg"}}
MOST_MS, MOST_LINK_MS = 3.0, 2.0
WARM = 10  # calls of each turn that are not counted, since they connect and compile code

# Both scripts print the wall time of each call, ms, on a line, and finally their mean processor time per
# call, ms.
PYTHON = """
import json, sys, time
from mockup_client import Client
address, key, sample, settings, count, warm = sys.argv[1:]
data, settings, count, warm = open(sample, "rb").read(), json.loads(settings), int(count), int(warm)
with Client(address, key=key) as mockups:
    for number in range(count + warm):
        if number == warm:
            spent = time.process_time()
        begun = time.perf_counter()
        mockups.render(data, settings)
        if number >= warm:
            print(1e3 * (time.perf_counter() - begun))
print(1e3 * (time.process_time() - spent) / count)
"""
JAVASCRIPT = """
import { readFile } from "node:fs/promises";
const { Client } = await import(process.argv[2]);
const [address, key, sample, settings, count, warm] = process.argv.slice(3);
const mockups = new Client({ address, key });
const data = await readFile(sample);
let spent;
for (let number = 0; number < +count + +warm; number++) {
  if (number === +warm) spent = process.cpuUsage();
  const begun = performance.now();
  const made = await mockups.render(data, JSON.parse(settings));
  await made.data.arrayBuffer();
  if (number >= +warm) console.log(performance.now() - begun);
}
const { user, system } = process.cpuUsage(spent);
console.log((user + system) / 1e3 / +count);
"""


def lines(command: Sequence[str], **variables: str) -> list[float]:
    """The numbers that a command prints; exits if it fails."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **variables}
    )
    if done.returncode:
        raise SystemExit((done.stderr or done.stdout)[-2000:])
    return [float(line) for line in done.stdout.split()]


def curl(urls: Sequence[str], options: Sequence[Sequence[str]]) -> list[float]:
    """The times, ms, of several requests over one connection."""
    command = ["curl", "--silent", "--fail", "--show-error"]
    for number, (url, given) in enumerate(zip(urls, options, strict=True)):
        command += ["--next"] if number else []
        command += [
            "--silent",
            "--fail",
            "--output",
            os.devnull,
            "--write-out",
            "%{time_total}\\n",
            *given,
            url,
        ]
    return [1e3 * seconds for seconds in lines(command)][WARM:]


def plain(live: Live, key: str, count: int) -> list[float]:
    """Ms of curl's calls."""
    form = ["-H", f"Authorization: Bearer {key}", "-F", f"screenshot=@{SAMPLE}"]
    form += ["-F", f"settings={json.dumps(SETTINGS)}"]
    named = [[*form, "-H", f"Idempotency-Key: {uuid.uuid4()}"] for _ in range(count + WARM)]
    return curl([f"{live.address}/api/v1/mockup?output=raw"] * len(named), named)


def processor_ms(pid: int) -> float:
    """Processor time of all threads that a process has, ms."""
    found = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        # A thread may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += int(thread.read_text().split()[0])
    return found / 1e6


def timed(live: Live, url: str, count: int) -> tuple[float, float]:
    """The median time of a small response, and the server's mean processor time for it, both in ms."""
    before, nothing = processor_ms(live.process.pid), [list[str]()] * (count + WARM)
    found = curl([url] * len(nothing), nothing)
    return statistics.median(found), (processor_ms(live.process.pid) - before) / len(nothing)


def linked(live: Live, key: str, folder: Path, count: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """The times to fetch the stored picture of a link, and the times of the smallest response."""
    secret, _ = live.accounts.keys.issue_link_secret(key)
    shutil.copy(SAMPLE, folder / "shot.png")
    with served(folder) as url:
        link = Link(json.dumps(SETTINGS).encode(), f"{url}/shot.png", "jpg")
        address = live.address + links.address(secret, link)
        # The first response is rendered.
        curl([address] * (WARM + 1), [[]] * (WARM + 1))
        return timed(live, address, count), timed(live, f"{live.address}/health", count)


def main() -> None:
    """Measure, print and save; exits with 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(prog="make clients", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--calls", type=int, default=20, help="of each client in a round")
    parser.add_argument("--no-save", action="store_true", help="print without saving")
    given = parser.parse_args()
    now, node = datetime.now(UTC), shutil.which("node")
    if node is None or shutil.which("curl") is None:
        raise SystemExit("curl and Node.js are needed")
    variables = {"RATE_LIMIT": "1000000", "MAX_RESULTS": "100000", "ALLOW_PRIVATE_SOURCES": "1"}
    above: dict[str, list[float]] = {"Python": [], "JavaScript": []}
    own: dict[str, list[float]] = {"Python": [], "JavaScript": []}
    base: list[float] = []
    kept: list[tuple[float, float]] = []
    floor: list[tuple[float, float]] = []
    with TemporaryDirectory() as name, running(Path(name) / "server", **variables) as live:
        key, folder = live.key(), Path(name)
        script = folder / "calls.mjs"
        script.write_text(JAVASCRIPT)
        what = [live.address, key, str(SAMPLE), json.dumps(SETTINGS), str(given.calls), str(WARM)]
        commands = {
            "Python": [sys.executable, "-c", PYTHON, *what],
            "JavaScript": [node, str(script), str(ROOT / "clients" / "javascript" / "mockup.js"), *what],
        }
        for _ in range(given.rounds):
            beside = statistics.median(plain(live, key, given.calls))
            base.append(beside)
            for language, command in commands.items():
                *calls, spent = lines(command, PYTHONPATH=str(ROOT / "clients" / "python"))
                above[language].append(statistics.median(calls) - beside)
                own[language].append(spent)
            pictures, answers = linked(live, key, folder, given.calls)
            kept.append(pictures)
            floor.append(answers)
    link, least = ([statistics.median(each) for each in zip(*one, strict=True)] for one in (kept, floor))
    rows = [
        [language, f"{statistics.median(above[language]):+.2f}", f"{statistics.median(own[language]):.2f}"]
        for language in above
    ]
    report = [f"# Clients, {now:%Y-%m-%d %H:%M} UTC", "", *machine.describe(), ""]
    report += [
        f"A picture of 640 × 480 by a form, {given.rounds} rounds of {given.calls} calls; curl takes",
        f"{statistics.median(base):.1f} ms. Medians of the rounds' medians.",
        "",
    ]
    report += table(["client", "ms above curl", "its own processor ms a call"], rows)
    report += [
        "",
        f"A kept link is served in {link[0]:.2f} ms, its own request and answer included. `/health`, the",
        f"least that the server can do, takes {least[0]:.2f} ms. The server's processor time for them is",
        f"{link[1]:.2f} and {least[1]:.2f} ms.",
    ]
    print("\n".join(report))
    if not given.no_save:
        (RESULTS / f"{now:%Y-%m-%d}-clients.md").write_text("\n".join(report) + "\n")
    late = [name for name, values in above.items() if statistics.median(values) >= MOST_MS]
    if late or link[0] >= MOST_LINK_MS:
        raise SystemExit(f"over {MOST_MS:g} ms a call or {MOST_LINK_MS:g} ms a link")


if __name__ == "__main__":
    main()
