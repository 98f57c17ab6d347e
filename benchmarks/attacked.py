"""A server in a control group under every attack, while a user requests a render each second."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.attacks.line import ENDED, HELD, Found, Target
from benchmarks.attacks.list import ATTACKS, Attacker, attacker
from benchmarks.load import quantile
from benchmarks.watch import Watch, watched
from tests.support import pictures
from tests.support.control_group import Group, control_group
from tests.support.live import SERVICE, Live, running
from tests.support.processes import usage

MEGABYTE = 2**20
MEMORY = 512 * MEGABYTE
# Seconds after the last attack until memory is measured.
REST_S = 30.0
JPEG = {"export": {"format": "jpeg"}}


@dataclass
class Renders:
    """The responses to a user who sends a request every second, by status, and the seconds that each took."""

    statuses: Counter[int] = field(default_factory=Counter)
    spent: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of pictures among all responses."""
        return self.statuses[200] / max(1, self.statuses.total())


@dataclass(frozen=True)
class Trial:
    """One attack, or several at once."""

    name: str
    found: Found
    watch: Watch
    renders: Renders
    kills: int = 0


@dataclass
class Attacked:
    """All trials, and the memory before, at the peak and after: the control group's if there is a group."""

    grouped: bool
    idle: int = 0
    peak: int = 0
    after: int = 0
    kills: int = 0
    alive: bool = True
    trials: list[Trial] = field(default_factory=list)

    @property
    def longest(self) -> float:
        """The longest time without a response of `/health`, in seconds."""
        return max(trial.watch.longest for trial in self.trials)

    @property
    def share(self) -> float:
        """The share of pictures among all responses to the user."""
        statuses = sum((trial.renders.statuses for trial in self.trials), Counter[int]())
        return statuses[200] / max(1, statuses.total())


@contextmanager
def user(live: Live, data: bytes) -> Iterator[Renders]:
    """Request a picture of `data` each second, whether or not earlier ones have been answered."""
    found, ended, key = Renders(), threading.Event(), live.key()
    text, asked = pictures.text(data), list[threading.Thread]()

    def ask() -> None:
        start = time.perf_counter()
        try:
            status = live.mockup(key, "?output=raw", screenshot_base64=text, settings=JPEG).status
        except OSError:
            status = ENDED
        found.statuses[status] += 1
        found.spent.append(time.perf_counter() - start)

    def work() -> None:
        while not ended.wait(1.0):
            asked.append(threading.Thread(target=ask))
            asked[-1].start()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()
        for one in asked:
            one.join()


def attacked(
    folder: Path, screenshot: bytes, each: float, together: float, names: Sequence[str] = tuple(ATTACKS)
) -> Attacked:
    """Run every attack for `each` seconds, then all of them at once for `together` seconds."""
    with ExitStack() as held:
        group = held.enter_context(control_group(MEMORY))
        attacking = held.enter_context(attacker())
        wrapped = group.command if group else ()
        settings = {"MEMORY_BYTES": str(MEMORY), "LOG_LEVEL": "info", "RATE_LIMIT": "1000000"}
        live = held.enter_context(running(folder, *wrapped, program=SERVICE, **settings))
        aimed = target(live)
        with user(live, screenshot):
            time.sleep(5)
        time.sleep(REST_S / 3)
        found = Attacked(group is not None, idle=memory(live, group))
        for name in names if each else ():
            found.trials.append(trial(live, group, attacking, aimed, name, [name], each, screenshot))
        if together:
            found.trials.append(
                trial(live, group, attacking, aimed, "all at once", names, together, screenshot)
            )
        time.sleep(REST_S)
        found.after = memory(live, group)
        found.peak = group.peak if group else max(one.watch.peak for one in found.trials)
        found.kills = group.kills if group else 0
        found.alive = live.process.poll() is None
        return found


def target(live: Live, projects: int = 300) -> Target:
    """Eight users, and one without access who has many large projects."""
    free = live.user("free")
    for number in range(projects):
        live.accounts.projects.save(free.id, f"p{number}", {"device": "iphone-16-pro" + "-" * 15_000})
    return Target(live.address, tuple(live.key() for _ in range(8)), live.accounts.keys.issue(free.id))


def trial(
    live: Live,
    group: Group | None,
    attacking: Attacker,
    aimed: Target,
    name: str,
    names: Sequence[str],
    seconds: float,
    screenshot: bytes,
) -> Trial:
    before = group.kills if group else 0
    with watched(live.address, live.process.pid) as watch, user(live, screenshot) as renders:
        found = attacking.begin(names, aimed, seconds).result()
    return Trial(name, found, watch, renders, (group.kills if group else 0) - before)


def memory(live: Live, group: Group | None) -> int:
    """Bytes that the server takes: of its group, or of its processes."""
    return group.used if group else usage(live.process.pid).pss


def report(found: Attacked) -> list[str]:
    """Lines of Markdown."""
    where = f"a control group of {MEMORY // MEGABYTE} MB" if found.grouped else "no control group; PSS"
    lines = [
        f"## Attacks, in {where}",
        "",
        "| measure | value |",
        "| --- | --- |",
        f"| memory idle, at most, {REST_S:.0f} s after | {found.idle // MEGABYTE}, {found.peak // MEGABYTE}, "
        f"{found.after // MEGABYTE} MB |",
        f"| processes killed for lack of memory | {found.kills} |",
        f"| the server is alive | {'yes' if found.alive else 'no'} |",
        f"| longest silence of `/health` | {1e3 * found.longest:.0f} ms |",
        f"| pictures of those that a user asked for, one a second | {found.share:.1%} |",
        "",
        "| attack | answers | `/health` median, longest, failed | PSS | killed | user's pictures, longest |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in found.trials:
        answers = sum(one.found.values(), Counter[int]())
        said = ", ".join(
            f"{count} × {NAMES.get(status, status)}" for status, count in sorted(answers.items())
        )
        watch, renders = one.watch, one.renders
        lines.append(
            f"| {one.name} | {said} | {1e3 * statistics.median(watch.spent or [0]):.0f}, "
            f"{1e3 * watch.longest:.0f} ms, {watch.failed} | {watch.peak // MEGABYTE} MB | {one.kills} | "
            f"{dict(renders.statuses)}, {quantile(renders.spent, 1):.2f} s |"
        )
    return [*lines, ""]


NAMES = {ENDED: "hung up", HELD: "held"}
