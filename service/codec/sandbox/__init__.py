"""Untrusted pictures are decoded in disposable processes that can do nothing else."""

from service.codec.sandbox.client import Sandboxed
from service.codec.sandbox.decoder import Decoder
from service.codec.sandbox.opening import open_decoder

__all__ = ["Decoder", "Sandboxed", "open_decoder"]
