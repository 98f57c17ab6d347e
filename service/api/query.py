"""Query parameters: few, before anything is said of them."""

from __future__ import annotations

from starlette.datastructures import QueryParams
from starlette.requests import Request

from service.errors import invalid

MAX_PARAMETERS = 32


def parameters(request: Request) -> QueryParams:
    """The request's parameters; raises a 400 where there are more than any operation could use."""
    if request.scope["query_string"].count(b"&") >= MAX_PARAMETERS:
        raise invalid(f"The address has more than {MAX_PARAMETERS} query parameters")
    return request.query_params
