"""What the server's side and a decoder process must agree on."""

from __future__ import annotations

import struct
from typing import Any

# The module that a fork server forks decoders for.
KIND = "service.codec.sandbox.worker"
# Sizes of the pickled job and of the file behind it in the input memory, and of the output memory.
JOB = struct.Struct("<QQQ")
TAKEN = b"taken"
# Said instead by a process that cannot filter its system calls, and therefore decodes nothing.
UNCONFINED = b"unconfined"
MAX_REPLY = 16384
LIVES = 200
MAX_PIXELS = 40_000_000


def options(lives: int = LIVES, max_pixels: int = MAX_PIXELS) -> dict[str, Any]:
    """What a fork server is told of decoders that take `lives` pictures of `max_pixels` at most."""
    return {"name": "decoder", "expendable": 1000, "lives": lives, "file_bytes": 4 * max_pixels + (1 << 20)}
