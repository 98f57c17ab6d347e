"""The safest decoder that a machine has."""

from __future__ import annotations

import logging

from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.decoder import Decoder
from service.codec.sandbox.messages import MAX_PIXELS
from service.processes import forks

log = logging.getLogger(__name__)


def open_decoder(*, max_pixels: int = MAX_PIXELS) -> Decoder:
    """Processes where the system allows them; else decoding in this process, with a warning logged."""
    if forks.possible():
        return Sandboxed(max_pixels=max_pixels)
    # A server whose renderers have decoders never loads what decodes.
    from service.codec.sandbox.in_process import InProcess

    log.warning("no memfd or pidfd here; screenshots are decoded without a sandbox")
    return InProcess()
