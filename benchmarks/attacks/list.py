"""All attacks by their names, and a process of their own to run them in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.attacks import answers, bodies, connections, files
from benchmarks.attacks.line import Attack, Found, Target, run

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (*connections.ATTACKS, *bodies.ATTACKS, *answers.ATTACKS, *files.ATTACKS)
}


@dataclass(frozen=True)
class Attacker:
    """Attacks one after the other in a process of its own, beside whoever measures."""

    processes: ProcessPoolExecutor

    def begin(self, names: Sequence[str], target: Target, seconds: float) -> Future[Found]:
        """All of `names` at once for so many seconds."""
        return self.processes.submit(_run, names, target, seconds)

    def prepare(self) -> None:
        """Start the process, and make what is sent."""
        self.processes.submit(_make).result()


@contextmanager
def attacker() -> Iterator[Attacker]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        made = Attacker(processes)
        made.prepare()
        yield made


def _run(names: Sequence[str], target: Target, seconds: float) -> Found:
    return run([ATTACKS[name] for name in names], target, seconds)


def _make() -> None:
    for make in (*bodies.BODIES.values(), bodies.screenshot, answers.large):
        make()
    for name in files.FILES:
        files.made(name)
