"""An operation: one declaration, from which its route, checks, OpenAPI and row on the page follow."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, Literal, ParamSpec

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from ..errors import Code, MockupError
from ..validation.names import Names
from .access import PUBLIC, Access
from .query import Query
from .response_model import Answer

P = ParamSpec("P")
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
RENDER = (Code.RENDER_FAILED, Code.SERVER_BUSY, Code.RENDER_TIMEOUT)
_BODY = (Code.INVALID_REQUEST, Code.PAYLOAD_TOO_LARGE, Code.UNSUPPORTED_MEDIA_TYPE)


@dataclass(frozen=True, slots=True)
class Tag:
    """A group of operations in the OpenAPI document."""

    name: str
    description: str


MOCKUPS = Tag("Mockups", "Pictures of screenshots on devices")
SCREENSHOTS = Tag("Screenshots", "Uploads that several pictures can use")
FILMS = Tag("Films", "Recordings on devices that move")
PROJECTS = Tag("Projects", "Saved settings")
CATALOGUE = Tag("Catalogue", "Devices, poses, looks and everything else to choose from; public")
ADMINISTRATION = Tag("Administration", "Users, and everyone's keys and projects, for administrators")
OPERATION = Tag("Operation", "For those who run the service")
TAGS = (MOCKUPS, SCREENSHOTS, FILMS, PROJECTS, CATALOGUE, ADMINISTRATION, OPERATION)


@dataclass(frozen=True, slots=True)
class PathId:
    """The parameter `{id}` of a path: its JSON Schema, and the codes for one that is malformed or unknown."""

    schema: Callable[[], dict[str, Any]]
    codes: tuple[Code, ...]


UUID_ID = PathId(lambda: {"type": "string", "format": "uuid"}, (Code.INVALID_REQUEST, Code.NOT_FOUND))


def named(names: Callable[[], Iterable[str]]) -> PathId:
    """An `{id}` that is one of these names."""
    return PathId(lambda: {"type": "string", "examples": list(names())}, (Code.NOT_FOUND,))


def canonical(names: Names, text: str) -> str:
    """The name that `text` means; raises a 404 that lists the known ones."""
    try:
        return names.canonical(text)
    except ValueError as error:
        raise MockupError(Code.NOT_FOUND, str(error)) from None


@dataclass(frozen=True, slots=True)
class RequestHeader:
    """A header of a request: its name, its values and its purpose."""

    name: str
    schema: Mapping[str, Any]
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path.

    Its name is that of its function, and its summary is the first line of the docstring. OpenAPI includes
    it if it is `listed`. `takes` and `gives` are bodies as JSON, `takes_files` and `gives_files` are media
    types of other bodies, and `headers` are request headers with a meaning for it. `errors` adds to the
    codes that follow from the rest. `otherwise` are further responses, by status. `about` is the section of
    the page, as a link from there.
    """

    endpoint: Endpoint
    tag: Tag
    method: Method
    path: str
    listed: bool = True
    access: Access = PUBLIC
    id: PathId | None = None
    query: type[Query] | None = None
    takes: type[BaseModel] | None = None
    takes_files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    headers: tuple[RequestHeader, ...] = ()
    gives: type[Answer] | None = None
    gives_files: tuple[str, ...] = ()
    status: int = 200
    errors: tuple[Code, ...] = ()
    otherwise: Mapping[int, tuple[str, type[Answer]]] = field(default_factory=dict)
    about: str = ""

    async def __call__(self, request: Request) -> Response:
        """Admit a request and answer it."""
        request.state.scope = self.access.scope
        if self.access.admit is not None:
            await self.access.admit(request)
        if self._takes_no_query:
            Query.of(request)
        return await self.endpoint(request)

    @property
    def _takes_no_query(self) -> bool:
        """Whether all query parameters are faults.

        Pages get past caches with a parameter of their own, and so do monitors that watch the server: files
        and the server's health ignore them.
        """
        if self.query is None:
            return self.path.startswith("/api/") and not self.gives_files and self.tag is not OPERATION
        return self.query is Query

    @property
    def name(self) -> str:
        """The name in generated clients: the function's in camel case."""
        return to_camel(self.endpoint.__name__)

    @property
    def summary(self) -> str:
        """The summary, in a few words."""
        return (self.endpoint.__doc__ or "").partition("\n")[0].removesuffix(".")

    @property
    def public(self) -> bool:
        """Whether pages of any site may read the response: public data and linked pictures, not HTML."""
        return self.access is PUBLIC and self.path.startswith(("/api/v1/", "/m/"))

    @property
    def codes(self) -> set[Code]:
        """The codes of all its errors."""
        codes = {*self.access.codes, *self.errors}
        if self.id is not None:
            codes |= set(self.id.codes)
        if self.query is not None or self._takes_no_query:
            codes.add(Code.INVALID_REQUEST)
        return codes | set(_BODY if self.takes else ())


def _declaring(
    made: Callable[Concatenate[Endpoint, P], Operation],
) -> Callable[P, Callable[[Endpoint], Operation]]:
    return lambda *args, **kwargs: lambda endpoint: made(endpoint, *args, **kwargs)


#: A decorator that turns an endpoint into an operation; its arguments are the operation's other fields.
operation = _declaring(Operation)
