"""`python -m service` and the console script `mockup`, which loads renderers in the background."""

from __future__ import annotations

import gc
import sys
from contextlib import ExitStack, closing

from .workers.fork_server import start_fork_server

# Objects that are created before garbage is searched for; Python's own threshold is 700.
GARBAGE = 100_000


def main() -> None:
    """Run the requested command; exits like `service.cli.main`."""
    with ExitStack() as stack:
        # Before it exits, Python would search all loaded objects for garbage. This takes longer than most
        # commands, and the memory is freed anyway.
        stack.callback(gc.freeze)
        # Code for rendering takes longest to load, and other commands do not need it.
        asked = sys.argv[1:]
        elsewhere = any(word == "--help" or word.startswith("--scheduler") for word in asked)
        renders = asked[:1] == ["render"] and not elsewhere
        fork_server = stack.enter_context(closing(start_fork_server())) if renders else None
        if renders:
            # Loading creates little garbage, so search for it more rarely.
            gc.set_threshold(GARBAGE)
        from . import cli

        cli.main(fork_server=fork_server)


if __name__ == "__main__":
    main()
