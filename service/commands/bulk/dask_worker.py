"""Code for Dask's workers: a plugin with the machine's renderers, and the task that renders a chunk."""

from __future__ import annotations

from typing import cast

from distributed import Worker, WorkerPlugin, get_worker

from ...version import version
from ..environment import load_config
from .chunks import Chunk
from .machine import Machine
from .manifest import RowFault
from .receipts import Receipt

NAME = "mockup"


class NoRenderersError(Exception):
    """The worker has no renderers, because its scheduler did not get the plugin that opens them."""


class RenderersPlugin(WorkerPlugin):
    """Opens a machine's renderers when a worker starts, configured by the worker's environment."""

    name = NAME
    # Further runs use the renderers of the first.
    idempotent = True

    def __init__(self) -> None:
        self._machine: Machine | None = None

    def setup(self, worker: Worker) -> None:
        """Start the renderers; an error is raised in the driver, or ends a worker that joins later."""
        self._machine = Machine(load_config())

    def teardown(self, worker: Worker) -> None:
        """End the renderers with their worker."""
        if self._machine is not None:
            self._machine.close()
            self._machine = None

    def render(self, chunk: Chunk) -> list[Receipt | RowFault]:
        """Render a chunk; raises RuntimeError if it is meant for another version."""
        if chunk.made_by != version():
            raise RuntimeError(f"this worker has version {version()}, the manifest's run {chunk.made_by}")
        if self._machine is None:
            raise RuntimeError("this worker is about to end")
        return self._machine.render(chunk)


def render(chunk: Chunk) -> list[Receipt | RowFault]:
    """The task: render a chunk in the renderers of the worker that it was given to."""
    renderers = get_worker().plugins.get(NAME)
    if renderers is None:
        raise NoRenderersError
    return cast(RenderersPlugin, renderers).render(chunk)
