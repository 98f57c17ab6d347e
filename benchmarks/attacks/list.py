"""All attacks by name, and a separate process to run them in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event

from benchmarks.attacks import answers, bodies, connections, files
from benchmarks.attacks.line import Attack, Found, Target, run

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (*connections.ATTACKS, *bodies.ATTACKS, *answers.ATTACKS, *files.ATTACKS)
}


@dataclass(frozen=True)
class Attacker:
    """Runs attacks one after another in a separate process, while the caller measures."""

    processes: ProcessPoolExecutor
    ended: Event

    def begin(self, names: Sequence[str], target: Target, seconds: float) -> Future[Found]:
        """Begin all of `names` at once, for some seconds or until `end`."""
        self.ended.clear()
        return self.processes.submit(_run, names, target, seconds)

    def end(self) -> None:
        """End the attack early; connections that are still held are not counted."""
        self.ended.set()

    def prepare(self) -> None:
        """Start the process, and prepare the data to send."""
        self.processes.submit(_make).result()


@contextmanager
def attacker() -> Iterator[Attacker]:
    context = multiprocessing.get_context("spawn")
    ended = context.Event()
    with ProcessPoolExecutor(1, context, initializer=_begin, initargs=(ended,)) as processes:
        made = Attacker(processes, ended)
        made.prepare()
        yield made


_ended: Event | None = None  # ends the attacks; set in the attacking process only


def _begin(ended: Event) -> None:
    global _ended
    _ended = ended


def _run(names: Sequence[str], target: Target, seconds: float) -> Found:
    assert _ended is not None
    return run([ATTACKS[name] for name in names], target, seconds, _ended.is_set)


def _make() -> None:
    for make in (*bodies.BODIES.values(), bodies.screenshot, answers.large):
        make()
    for name in files.FILES:
        files.made(name)
