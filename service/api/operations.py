"""All operations, gathered from the modules that declare them, and their routes."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route, compile_path
from starlette.types import Scope

from ..settings.schema import Settings
from . import (
    administration,
    catalogue,
    film_stills,
    films,
    fonts,
    gallery,
    health,
    links,
    live_preview,
    mockup,
    pages,
    projects,
    recordings,
    results,
    settings_form,
    status,
    templates,
    uploads,
    web_files,
)
from .operation import Endpoint, Operation

OPERATIONS = tuple(
    one
    for module in (
        mockup,
        results,
        links,
        live_preview,
        projects,
        uploads,
        recordings,
        films,
        film_stills,
        catalogue,
        fonts,
        gallery,
        templates,
        settings_form,
        health,
        status,
        administration,
        pages,
        web_files,
    )
    for one in vars(module).values()
    if isinstance(one, Operation)
)


class PathRoute(Route):
    """A route that handles its path for every method, with a 405 for methods that it lacks.

    Otherwise, the next matching path would answer: `films/{id}` for `films/frames`.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the path of a request fits; the method makes no difference."""
        found, child = super().matches(scope)
        return (Match.FULL if found is Match.PARTIAL else found), child


def routes() -> list[Route]:
    """One route per path, those without parameters first."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation
    ordered = sorted(paths.items(), key=lambda one: "{" in one[0])
    return [PathRoute(path, _dispatcher(methods), methods=list(methods)) for path, methods in ordered]


def build_models() -> None:
    """Build the schemas with which operations validate bodies, so that no request waits for one."""
    for model in dict.fromkeys(one.takes for one in OPERATIONS if one.takes) | {Settings: None}:
        model.model_rebuild()


def public_paths() -> list[re.Pattern[str]]:
    """Patterns of the paths that pages of any site may read."""
    return [compile_path(one.path)[0] for one in OPERATIONS if one.public and one.method == "GET"]


def _dispatcher(methods: dict[str, Operation]) -> Endpoint:
    async def dispatch(request: Request) -> Response:
        operation = methods["GET" if request.method == "HEAD" else request.method]
        request.state.public = operation.public
        return await operation(request)

    return dispatch
