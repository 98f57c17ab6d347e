"""The time of ten users' small pictures, with and without four giant ones of another user.

`python -m benchmarks.giants --seconds 20`
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import pictures
from tests.support.live import Live, running

USERS, GIANTS = 10, 4
# Seconds between a user's small pictures.
PAUSE_S = 1.0
GIANT: dict[str, Any] = {
    "device": "macbook-pro-14",
    "canvas": {"width": 4096, "height": 4096},
    "export": {"scale": 1.54},
    "postProcessing": {"bloom": True, "grain": True},
}
POSE = {
    "scale": 5,
    "rotationX": 40,
    "rotationY": -55,
    "rotationZ": 20,
    "fieldOfView": 90,
    "framing": "upright",
}


@dataclass
class Answers:
    """Responses by status, and the seconds that each took."""

    statuses: Counter[int] = field(default_factory=Counter)
    spent: list[float] = field(default_factory=list)

    def ask(self, live: Live, key: str, **body: Any) -> None:
        start = time.perf_counter()
        self.statuses[live.mockup(key, "?output=raw", **body).status] += 1
        self.spent.append(time.perf_counter() - start)

    def __str__(self) -> str:
        ordered = sorted(self.spent)
        if not ordered:
            return "none"
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        return (
            f"{dict(self.statuses)}, median {statistics.median(ordered):.3f} s, p95 {p95:.3f} s, "
            f"longest {ordered[-1]:.3f} s"
        )


def small(live: Live, seconds: float) -> Answers:
    """The responses to the users with small pictures."""
    found, ends = Answers(), time.monotonic() + seconds

    def work(number: int) -> None:
        key = live.key()
        time.sleep(PAUSE_S * number / USERS)
        while time.monotonic() < ends:
            found.ask(live, key)
            time.sleep(PAUSE_S)

    _together(threading.Thread(target=work, args=(number,)) for number in range(USERS))
    return found


@contextmanager
def giants(live: Live) -> Iterator[Answers]:
    """Let one user request giant pictures, each a different one, as long as the context lasts."""
    found, ended, key, numbers = Answers(), threading.Event(), live.key(), itertools.count()
    text = pictures.text(pictures.png(3024, 1964))

    def work() -> None:
        while not ended.is_set():
            pose = POSE | {"rotationY": POSE["rotationY"] + next(numbers) / 100}  # type: ignore[operator]
            found.ask(live, key, screenshot_base64=text, settings=GIANT | {"deviceTransform": pose})

    threads = [threading.Thread(target=work) for _ in range(GIANTS)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(2)
        yield found
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _together(threads: Iterator[threading.Thread]) -> None:
    begun = list(threads)
    for thread in begun:
        thread.start()
    for thread in begun:
        thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each of the two")
    parser.add_argument("--renderers", default="2")
    arguments = parser.parse_args()
    settings = {"RATE_LIMIT": "100000", "RENDER_THREADS": arguments.renderers, "LOG_LEVEL": "info"}
    # Deadlines as they are by default.
    settings |= {"RENDER_TIMEOUT_S": "10", "QUEUE_TIMEOUT_S": "30"}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), **settings) as live:
        small(live, 2)
        print("without:", small(live, arguments.seconds), flush=True)
        with giants(live) as greedy:
            print("beside giants:", small(live, arguments.seconds), flush=True)
        print("giants:", greedy)


if __name__ == "__main__":
    main()
