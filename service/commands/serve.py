"""`serve` and `demo`: run the server."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, cast

from .environment import unknown_variables, verify

if TYPE_CHECKING:
    from ..config import Config


def serve(config: Config, begin: Callable[[Config], Callable[[str], None]] | None = None) -> None:
    """Serve until Ctrl-C; the function that `begin` returns is called with the service's URL."""
    for line in unknown_variables():
        print(f"mockup: {line}", file=sys.stderr)
    # Without a sandbox, the server starts, reports this in its readiness as well, and renders nothing.
    verify(config, sandbox=False)
    # Searching for garbage while modules are loaded takes a sixth of the starting time.
    gc.disable()
    load_structlog()
    from .. import logs
    from ..app import create_app
    from ..http import server
    from .startup_warnings import startup_warnings

    logs.configure(config)
    for line in startup_warnings(config, demo=begin is not None):
        logs.warn(line)
    greet = begin(config) if begin else None

    def started(url: str) -> None:
        gc.enable()
        if greet:
            greet(url)

    # Ctrl-C is the normal way to stop a server.
    with suppress(KeyboardInterrupt):
        server.serve(create_app, config, started)


def load_structlog() -> None:
    """Load structlog without rich, which it uses only for coloured tracebacks; the log has none."""
    # A module that is None counts as missing.
    sys.modules.setdefault("rich", cast("ModuleType", None))
    try:
        import structlog  # noqa: F401
    finally:
        if sys.modules["rich"] is None:
            del sys.modules["rich"]
