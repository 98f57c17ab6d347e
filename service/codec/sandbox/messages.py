"""The protocol between a renderer and its decoder process."""

from __future__ import annotations

import struct
from typing import Any

from ...limits import DECODER_LIVES, MAX_PIXELS

# The module that a fork server forks decoders for.
KIND = f"{__package__}.worker"
# Sizes of the pickled job and of the file after it in the input memory, and of the output memory.
JOB = struct.Struct("<QQQ")
TAKEN = b"taken"
# Sent by a process that decodes nothing, because it could not filter its system calls.
UNCONFINED = b"unconfined"
MAX_REPLY = 16384
MAX_BYTES = 16 << 20


def options(
    lives: int = DECODER_LIVES, max_pixels: int = MAX_PIXELS, max_bytes: int = MAX_BYTES
) -> dict[str, Any]:
    """The options of decoders that take `lives` pictures of at most `max_pixels`, in files of `max_bytes`."""
    return {
        "name": "decoder",
        "oom_score": 1000,
        "lives": lives,
        "pixel_bytes": 4 * max_pixels + (1 << 20),
        "file_bytes": max_bytes,
    }
