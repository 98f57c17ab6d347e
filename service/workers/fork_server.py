"""The fork server of a service; it can start before the configuration is read."""

from __future__ import annotations

from ..codec.sandbox import messages as decoders
from ..processes.forks import ForkServer

# The module that renderers run.
RENDERER = f"{__package__}.renderer"


def start_fork_server(*more: str) -> ForkServer:
    """A fork server for renderers, decoders and the modules `more`, which loads them in the background."""
    return ForkServer(decoders.KIND, RENDERER, *more)
