"""The race: every contender draws the same case, one picture each in turn, round after round.

So a disturbance of the machine affects all of them. A slow contender draws fewer pictures, but at least one,
so that none takes more than its share of a case's time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from benchmarks.speed.contender import Contender
from benchmarks.speed.figures import Times
from benchmarks.speed.sketch import Sketch

Clock = Callable[[], float]

ROUNDS = 9
SHARE_MS = 1200.0  # share of a case's time after which a contender stops


def absentees(contenders: Sequence[Contender]) -> dict[str, str]:
    """The contenders that cannot take part, with reasons."""
    found = {contender.name: contender.absent() for contender in contenders}
    return {name: reason for name, reason in found.items() if reason}


def run(
    contenders: Sequence[Contender], sketch: Sketch, rounds: int = ROUNDS, share_ms: float = SHARE_MS,
    clock: Clock = time.perf_counter,
) -> dict[str, Times]:  # fmt: skip
    """Run one case with open contenders.

    One that fails is reported with its reason, and draws no more pictures.
    """
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
    """Draw one uncounted small picture each, so that modules are loaded before the first counted one."""
    run(contenders, sketch, rounds=1)
