"""Everything that a server sends in response to raw bytes."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlsplit

from tests.support.live import Live
from tests.support.waiting import PATIENCE_S


def told(live: Live, *pieces: bytes, seconds: float = 5.0, patience: float = PATIENCE_S) -> bytes:
    """The whole response to the sent bytes, until the server closes the connection or is silent for some
    seconds.

    `patience` is the longest wait for a response, in seconds.
    """
    parts = urlsplit(live.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S) as client:
        got = b""
        with suppress(OSError):
            for piece in pieces:
                client.sendall(piece)
                time.sleep(0.05)
            client.settimeout(patience)
            while piece := client.recv(2**16):
                got += piece
                client.settimeout(seconds)
        return got


def told_at_once(live: Live, asked: Mapping[str, Sequence[bytes]], patience: float = 2.0) -> dict[str, bytes]:
    """As `told`, in parallel; each connection is read for two seconds, in case there is a second response."""

    def answer(pieces: Sequence[bytes]) -> bytes:
        return told(live, *pieces, seconds=2, patience=patience)

    with ThreadPoolExecutor(len(asked)) as threads:
        return dict(zip(asked, threads.map(answer, asked.values()), strict=True))
