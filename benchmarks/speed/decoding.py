"""Decoding alone: the service's decoder against OpenCV's, in turn.

OpenCV's `imdecode` checks nothing, converts no colours and keeps its channel order. The service's times
include all of these steps and, in the sandbox, the transfer of file and pixels.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection

import cv2
import numpy as np

from benchmarks.speed.report import table
from service.clock import Clock
from service.codec import header
from service.codec.decode import decode
from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.confine import keep_memory

ROUNDS = 15
OURS, THEIRS = "ours", "OpenCV"

Taken = tuple[float, float]


def measure(samples: Mapping[str, bytes], rounds: int = ROUNDS) -> list[str]:
    """A table of medians, ms, with a row for each screenshot, by name."""
    decoders: dict[str, Callable[[bytes], object]] = {OURS: _ours, THEIRS: _opencv}
    workers = {name: _worker(one) for name, one in decoders.items()}
    sandbox = Sandboxed()
    rows = []
    try:
        for name, data in samples.items():
            facts = header.read(data)
            taken: dict[str, list[Taken]] = {side: [] for side in workers}
            waited = []
            for _ in range(1 + rounds):
                for side, worker in workers.items():
                    worker.send_bytes(data)
                    taken[side].append(worker.recv())
                start = time.perf_counter()
                sandbox.decode(data, facts, None, Clock())
                waited.append((time.perf_counter() - start) * 1e3)
            shown = f"{name}, {facts.width}×{facts.height}, {len(data) / 1e6:.1f} MB"
            rows.append(_row(shown, taken, statistics.median(waited[1:])))
    finally:
        sandbox.close()
        for worker in workers.values():
            worker.send_bytes(b"")
    head = ["screenshot", "ours", "OpenCV", "ratio", "ours, CPU", "OpenCV, CPU", "ratio", "in the sandbox"]
    return table(head, rows)


def _row(shown: str, taken: dict[str, list[Taken]], waited: float) -> list[str]:
    # The first run of each allocates memory that later runs reuse, so it is not timed.
    wall, cpu = (
        {name: statistics.median(one[which] for one in values[1:]) for name, values in taken.items()}
        for which in (0, 1)
    )
    cells = [shown]
    for times in (wall, cpu):
        cells += [f"{times[OURS]:.1f}", f"{times[THEIRS]:.1f}", f"{times[OURS] / times[THEIRS]:.2f}"]
    return [*cells, f"{waited:.1f}"]


def _ours(data: bytes) -> object:
    return decode(data, header.read(data))


def _opencv(data: bytes) -> object:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)


def _worker(decoder: Callable[[bytes], object]) -> Connection:
    """A separate process, whose memory stays warm as in a decoder."""
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    context.Process(target=_serve, args=(decoder, theirs), daemon=True).start()
    return ours


def _serve(decoder: Callable[[bytes], object], channel: Connection) -> None:
    cv2.setNumThreads(0)
    keep_memory()
    while data := channel.recv_bytes():
        start, busy = time.perf_counter(), time.process_time()
        decoder(data)
        channel.send(((time.perf_counter() - start) * 1e3, (time.process_time() - busy) * 1e3))
