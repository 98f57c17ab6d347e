"""The race: every contender draws the same case, one picture each in turn, round after round.

Whatever slows the machine for a while slows all of them. Nobody takes more than its share of a case's time:
who is slow draws fewer pictures, and at least one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from benchmarks.speed.contender import Contender
from benchmarks.speed.figures import Times
from benchmarks.speed.sketch import Sketch

Clock = Callable[[], float]

ROUNDS = 9
SHARE_MS = 1200.0  # after so much time in a case a contender has drawn enough


def absentees(contenders: Sequence[Contender]) -> dict[str, str]:
    """Contenders that cannot take part, and why."""
    found = {contender.name: contender.absent() for contender in contenders}
    return {name: reason for name, reason in found.items() if reason}


def run(
    contenders: Sequence[Contender], sketch: Sketch, rounds: int = ROUNDS, share_ms: float = SHARE_MS,
    clock: Clock = time.perf_counter,
) -> dict[str, Times]:  # fmt: skip
    """One case; the contenders are open. What fails is reported with its reason and draws no more."""
    times = {contender.name: Times() for contender in contenders}
    for contender in contenders:
        times[contender.name].failure = contender.declines(sketch.case) or ""
    for _ in range(rounds):
        for contender in contenders:
            mine = times[contender.name]
            if mine.failure or mine.total > share_ms:
                continue
            try:
                contender.prepare(sketch)
                start = clock()
                data = contender.draw(sketch)
                mine.add((clock() - start) * 1e3, len(data), contender.stages())
            except Exception as error:
                mine.failure = f"{type(error).__name__}: {error}"
    return times


def warm_up(contenders: Sequence[Contender], sketch: Sketch) -> None:
    """One small picture each that does not count, so that nothing is loaded for the first that does."""
    run(contenders, sketch, rounds=1)
