"""Request bodies, never read beyond the limit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import sha256

from anyio import to_thread
from starlette.requests import Request

from ..concurrency.fair_shares import Reservation
from ..concurrency.turns import Turns
from ..errors import Code, MockupError
from . import json_body, media_type
from .form import FormBody
from .json_body import JSONBody
from .services import Services

# Larger bodies are parsed in a thread, so that they do not block the event loop.
_INLINE_BYTES = 64 * 1024
_STEP = 2**20


def check_length(request: Request, limit: int) -> int:
    """`Content-Length`, 0 if there is none; raises 413 if it exceeds `limit` bytes."""
    announced = request.headers.get("content-length", "0")
    # Do not convert absurdly long numbers; the protocol refuses values that are not numbers.
    length = int(announced) if announced.isdecimal() and len(announced) <= 20 else limit + 1
    if length > limit:
        raise _too_large(limit)
    return length


class RequestBody:
    """A request's body, its bytes charged to its owner while the context lasts.

    A `form` is parsed as it arrives.
    """

    def __init__(self, reserved: Reservation, parsing: Turns, form: FormBody | None = None) -> None:
        self._reserved = reserved
        self._parsing = parsing
        self.form = form
        self._data = bytearray()
        self._json: JSONBody | None = None

    @property
    def data(self) -> bytearray:
        """The bytes read, unless the body is a form."""
        return self._data

    async def read(self, request: Request, limit: int) -> None:
        """Read the stream; raises 413 beyond `limit` bytes, `SERVER_BUSY` if there is no room.

        A body that cannot be read is not charged.
        """
        try:
            await self._read(request, limit)
        except BaseException:
            self._reserved.resize(0)
            raise

    async def _read(self, request: Request, limit: int) -> None:
        size = 0
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                raise _too_large(limit)
            if size > self._reserved.size:
                # A body without an announced length.
                self._reserved.grow(max(len(piece), min(_STEP, limit)))
            if self.form is None:
                self._data += piece
            else:
                self.form.feed(piece)
        self._reserved.keep()
        self._reserved.resize(len(self._data) if self.form is None else self.form.size)

    async def json_object(self) -> JSONBody:
        """Parse the body as a JSON object; raises 400 for anything else, including duplicate members."""
        if len(self._data) <= _INLINE_BYTES:
            self._json = json_body.parse(self._data)
        else:
            async with self._parsing.turn(self._reserved.owner):
                self._json = await to_thread.run_sync(json_body.parse, self._data)
        return self._json

    def digest(self) -> bytes:
        """A digest of the body; a form's digest does not depend on its boundary."""
        return sha256(self._data).digest() if self.form is None else self.form.digest()

    def charge(self, size: int) -> None:
        """Charge `size` more bytes, fetched for this body; raises `SERVER_BUSY` if there is no room."""
        self._reserved.grow(size)

    def replace(self, size: int) -> None:
        """Release the body and its long texts, and charge `size` bytes for what replaces them."""
        for text in self._json.texts.values() if self._json else ():
            text.release()
        self._data = bytearray()
        if self.form is not None:
            self.form.clear()
        self._reserved.resize(size)

    def __enter__(self) -> RequestBody:
        return self

    def __exit__(self, *_: object) -> None:
        self.replace(0)


async def receive(
    request: Request, services: Services, limit: int, owner: str, *, forms: bool = False
) -> RequestBody:
    """Read the body, charged to `owner`, waiting for room for the announced length before the first byte.

    A form is parsed as it arrives if `forms` are taken. Raises 413 as soon as the body exceeds `limit` bytes,
    and `SERVER_BUSY` if there is no room.
    """
    announced = check_length(request, limit)
    form = FormBody(request.headers["content-type"]) if forms and media_type.is_form(request) else None
    # A slow upload is aborted while there is no room for others.
    abort = request.scope.get("state", {}).get("abort")
    reserved = await services.budget.reserve(owner, announced, services.config.queue_timeout_s, abort)
    body = RequestBody(reserved, services.parsing, form)
    await body.read(request, limit)
    return body


async def skip(request: Request, limit: int) -> None:
    """Read and discard a body; raises 413 as soon as it exceeds `limit` bytes."""
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise _too_large(limit)


async def pieces(request: Request, limit: int) -> AsyncIterator[bytes]:
    """A body in pieces of about a megabyte; raises 413 as soon as it exceeds `limit` bytes."""
    size, held = 0, bytearray()
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise _too_large(limit)
        held += piece
        if len(held) >= _STEP:
            yield bytes(held)
            held.clear()
    yield bytes(held)


def _too_large(limit: int) -> MockupError:
    return MockupError(Code.PAYLOAD_TOO_LARGE, f"The body is larger than {limit} bytes")
