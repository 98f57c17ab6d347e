"""The safest decoder that a machine has."""

from __future__ import annotations

import logging
import os

from service.codec.sandbox.decoder import Decoder
from service.codec.sandbox.messages import MAX_PIXELS
from service.codec.sandbox.pool import Sandboxed

log = logging.getLogger(__name__)


def open_decoder(processes: int, *, max_pixels: int = MAX_PIXELS) -> Decoder:
    """Decoder processes on Linux; elsewhere decoding in this process, with a warning logged."""
    if hasattr(os, "memfd_create") and hasattr(os, "pidfd_open"):
        return Sandboxed(processes, max_pixels=max_pixels)
    # A server whose renderers have decoders never loads what decodes.
    from service.codec.sandbox.in_process import InProcess

    log.warning("decoder processes need Linux; screenshots are decoded in the server itself")
    return InProcess()
