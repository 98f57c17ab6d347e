"""Fetches screenshots from untrusted URLs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from socket import gaierror
from typing import TYPE_CHECKING

import structlog
from yarl import URL

from ..clock import Clock
from ..concurrency.fair_shares import FairShares, Reservation
from ..config import Config
from ..errors import Detail, MockupError, busy, invalid
from ..limits import MAX_REDIRECTS
from ..settings.formats import READ
from ..version import version
from . import authorities, lookup_user
from .addresses import Address, is_public
from .location import LocationError, NotationError, join, parse
from .refusals import FAILED, NO_RECORDING, PRIVATE, ForbiddenError, RefusedError

if TYPE_CHECKING:
    import ssl

    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver

    from .session import Session

REDIRECTS = frozenset({301, 302, 303, 307, 308})

log = structlog.get_logger(__name__)


HEADERS = {
    "Accept": ",".join([*(one.mime for one in READ), "*/*;q=0.1"]),
    "Accept-Encoding": "identity",
    "User-Agent": f"mockup/{version()}",
}


# The trace that the current request belongs to, in W3C's form.
traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)


Take = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Download:
    """A file of up to `most` bytes, passed to `take` piece by piece; `path` is its URL's path in the request.

    `failed` is the message for callers, the same for every failure.
    """

    path: str
    most: int
    take: Take
    noun: str = "screenshot"
    failed: str = FAILED
    seconds: float | None = None


class Fetcher:
    """Fetches screenshots over HTTP, from the public internet only.

    Callers see the same error for all network failures, so that responses reveal nothing about the network.
    """

    def __init__(
        self, config: Config, names: AbstractResolver | None = None, tls: ssl.SSLContext | bool = True
    ) -> None:
        """Prepare without connecting; `names` and `tls` replace the system's resolver and authorities."""
        self._config = config
        self._names, self._tls = names, tls
        self._slots = FairShares(config.fetch_connections)
        self._session: Session | None = None
        self._authorities_checked = False
        # Numbers of screenshots that were fetched, and of those that failed.
        self.fetched = self.failed = 0

    @staticmethod
    def load() -> None:
        """Load the HTTP client in a thread, for about 0.1 s, so that the first fetch need not wait for it."""
        from . import session  # noqa: F401

    async def fetch(
        self,
        url: str,
        clock: Clock,
        user: str,
        path: str = "screenshot.src",
        charge: Callable[[int], object] = int,
    ) -> bytes:
        """Fetch `url`; raises a 400 naming `path` on failure, a 504 past the deadline.

        Uses one of the slots for connections and look-ups, which `user` shares with others. Waiting for a
        slot extends the deadline, and ends in a 503 if it takes too long. `charge` is called with the size
        of every piece received, in bytes; an exception from it ends the fetch.
        """
        body = bytearray()

        async def take(piece: bytes) -> None:
            charge(len(piece))
            body.extend(piece)

        await self._receive(url, clock, user, _Download(path, self._config.max_source_bytes, take))
        return bytes(body)

    async def save(
        self, url: str, clock: Clock, user: str, path: str, most: int, take: Take, seconds: float
    ) -> None:
        """Fetch a recording of up to `most` bytes within `seconds`, as `fetch` does.

        `take` is called with every piece.
        """
        wanted = _Download(path, most, take, "recording", NO_RECORDING, seconds)
        await self._receive(url, clock, user, wanted)

    async def post(
        self, url: str, data: bytes, headers: Mapping[str, str], user: str, seconds: float
    ) -> None:
        """Send `data` to a URL, which has to accept it with a 2xx status within `seconds`.

        Waiting for a connection may take as long again. Raises RefusedError, whose text is for the log
        alone, if the call is not accepted.
        """
        try:
            target = parse(url)
            slot = await self._slots.reserve(user, 1, seconds)
            lookup_user.user.set(user)
            try:
                async with asyncio.timeout(seconds):
                    self._check_port(target)
                    sent = self._client().post(target, data=data, headers=headers, allow_redirects=False)
                    async with sent as response:
                        if not 200 <= response.status < 300:
                            raise RefusedError(f"status {response.status}")
            finally:
                slot.release()
        except Exception as exc:
            raise RefusedError(_reason(exc)) from None

    async def _receive(self, url: str, clock: Clock, user: str, wanted: _Download) -> None:
        try:
            target = parse(url)
        except LocationError as exc:
            raise invalid(f"The {wanted.noun}'s URL {exc}", Detail(wanted.path, str(exc))) from None
        except ValueError as exc:
            raise self._failure(wanted, host="", reason=exc) from RefusedError(_reason(exc))
        clock.check()
        slot = await self._slot(user, clock)
        lookup_user.user.set(user)
        try:
            seconds = self._config.fetch_total_s if wanted.seconds is None else wanted.seconds
            async with asyncio.timeout(min(seconds, clock.remaining)):
                await self._follow(target, wanted)
            self.fetched += 1
        except MockupError:
            raise
        except Exception as exc:
            clock.check()
            # Never chain the client's own error: its text can quote the URL.
            host = str(target.raw_host)
            raise self._failure(wanted, host=host, reason=exc) from RefusedError(_reason(exc))
        finally:
            slot.release()

    async def close(self) -> None:
        """Close connections and threads."""
        if self._session is not None:
            await self._session.close()

    async def _slot(self, user: str, clock: Clock) -> Reservation:
        start = clock.elapsed
        try:
            slot = await self._slots.reserve(user, 1, self._config.queue_timeout_s)
        except MockupError:
            raise busy("Too many screenshots are being fetched") from None
        clock.postpone(clock.elapsed - start)
        return slot

    async def _follow(self, target: URL, wanted: _Download) -> None:
        for _ in range(MAX_REDIRECTS + 1):
            self._check_port(target)
            headers = self._trace_of(target)
            async with self._client().get(target, headers=headers, allow_redirects=False) as response:
                if response.status not in REDIRECTS:
                    return await self._read(response, wanted)
                target = join(target, response.headers.get("Location", ""))
                response.close()
        raise RefusedError("too many redirects")

    def _trace_of(self, target: URL) -> dict[str, str]:
        """The header that links a fetch to its request's trace; only the operator's own hosts get it."""
        trace = traceparent.get()
        return {"traceparent": trace} if trace and target.host in self._config.trace_hosts else {}

    async def _read(self, response: ClientResponse, wanted: _Download) -> None:
        if response.status != 200:
            raise RefusedError(f"status {response.status}")
        if any(
            value.strip().lower() not in ("", "identity")
            for value in response.headers.getall("Content-Encoding", ())
        ):
            raise RefusedError("encoded response")
        if (response.content_length or 0) > wanted.most:
            raise RefusedError("Content-Length over the limit")
        size = 0
        async for piece in response.content.iter_any():
            size += len(piece)
            if size > wanted.most:
                raise RefusedError("body over the limit")
            await wanted.take(piece)
        if not size:
            raise RefusedError("empty body")

    def _client(self) -> ClientSession:
        if self._session is None:
            # Loads aiohttp.
            from .session import Session

            timeout = self._config.fetch_connect_s
            self._session = Session(HEADERS, timeout, self._permits, self._names, self._tls)
        return self._session.client

    def _permits(self, address: Address) -> bool:
        if self._config.allow_private_sources:
            return True
        return is_public(address) and not any(address in network for network in self._config.fetch_denied)

    def _check_port(self, target: URL) -> None:
        if target.port not in self._config.fetch_ports and not self._config.allow_private_sources:
            raise RefusedError(f"port {target.port} is not one of MOCKUP_FETCH_PORTS")

    def _failure(self, wanted: _Download, *, host: str, reason: BaseException) -> MockupError:
        self.failed += 1
        log.info("fetch failed", host=host, reason=_reason(reason))
        if self._session is not None and not self._authorities_checked and self._session.distrusts(reason):
            # Check only once: the check takes a moment, and its result does not change.
            self._authorities_checked = True
            if not authorities.found():
                log.error("https does not work", reason=authorities.MISSING)
        return invalid(wanted.failed, Detail(wanted.path, wanted.failed))


def _reason(reason: BaseException) -> str:
    """A reason that is safe to log: the client's own messages can quote the URL and its secret query."""
    cause: BaseException | None = reason
    while cause is not None:
        if isinstance(cause, ForbiddenError):
            return f"{cause}; {PRIVATE}"
        if isinstance(cause, RefusedError | LocationError | NotationError):
            return str(cause)
        if isinstance(cause, gaierror):
            return f"its host name could not be resolved: {cause.strerror}"
        if isinstance(cause, TimeoutError):
            return f"it took too long ({type(cause).__name__})"
        cause = cause.__cause__
    text = getattr(reason, "strerror", None)
    return f"{type(reason).__name__}: {text}" if text else type(reason).__name__
