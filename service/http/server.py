"""The HTTP server: uvicorn on uvloop and h11, in one process."""

from __future__ import annotations

import errno
import math
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType

import structlog
import uvicorn
from starlette.applications import Starlette

from .. import logs
from ..config import Config
from ..limits import CLOSING_S
from .protocol import bounded_protocol
from .sockets import leave_little_unsent, piecewise

log = structlog.get_logger(__name__)

# Seconds until a thread must yield the interpreter lock. The event loop reacquires it after every system
# call; with the default of 5 ms, threads that parse, decode or query the database would delay it by that
# much each time.
SWITCH_S = 0.0005


class Server(uvicorn.Server):
    """Turns readiness off when told to stop, and lets accepted requests finish within `seconds`.

    After SIGTERM, it first continues to serve for `drain` seconds, so that load balancers stop sending
    requests to it.
    """

    def __init__(self, config: uvicorn.Config, seconds: float, drain: float) -> None:
        super().__init__(config)
        self._seconds = seconds
        self._drain = drain
        self._draining = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to stop."""
        app = self.config.app
        if isinstance(app, Starlette):
            app.state.services.readiness.open = False
        if self._drain and sig == signal.SIGTERM and not self.should_exit and not self._draining:
            self._draining = True
            _later(self._drain, self._stop)
            return
        # The inherited method would kill the process by the same signal at the end.
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self._stop()

    def _stop(self) -> None:
        if not self.should_exit:
            # End even if something hangs: data is on disk before a response confirms it.
            _later(self._seconds, _end)
        self.should_exit = True


def serve(
    create_app: Callable[[Config], Starlette], config: Config, started: Callable[[str], None] | None = None
) -> None:
    """Serve until SIGTERM or SIGINT; calls `started` with the service's URL once it is listening.

    From then on connections are accepted and wait to be served.
    """
    logs.configure(config)
    sys.setswitchinterval(SWITCH_S)
    app = create_app(config)
    listener = listen(config.host, config.port)
    base = url(listener)
    if config.metrics_port is not None:
        log.info("metrics", address=metrics(app, config.metrics_host, config.metrics_port))
    server = Server(
        uvicorn.Config(
            app,
            loop="uvloop",
            http=piecewise(bounded_protocol(config, app.state.plan)),
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=max(1, round(config.idle_timeout_s)),
            # The rest of the time is for closing decoders, threads and the database.
            timeout_graceful_shutdown=max(1, math.floor(config.shutdown_s - CLOSING_S)),
        ),
        config.shutdown_s,
        config.drain_s,
    )
    # Set the handlers before the service is announced. A signal that came between two handlers could end the
    # event loop without closing the renderers, whose threads would then keep the process alive.
    with server.capture_signals():
        log.info("serving", address=base)
        if started is not None:
            started(base)
        server.run(sockets=[listener])


def metrics(app: Starlette, host: str, port: int) -> str:
    """Serve the metrics at an address of their own and return their URL; raises OSError naming the port."""
    try:
        return str(app.state.services.metrics.open(host, port))
    except OSError as error:
        raise OSError(error.errno, f"cannot show metrics on port {port}: {error.strerror}") from error


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


def _end() -> None:
    log.error("shutdown took too long, abandoning what is left")
    os._exit(1)


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; raises OSError naming host and port on failure."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
        leave_little_unsent(listener)
    except OSError as error:
        listener.close()
        said = f"cannot listen on {host}:{port}: {error.strerror}"
        hint = "; --port or MOCKUP_PORT takes another" if error.errno == errno.EADDRINUSE else ""
        raise OSError(error.errno, said + hint) from error
    return listener


def url(listener: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
