"""Query parameters: bounded in number, unknown ones reported."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from starlette.requests import Request

from service.errors import Detail, invalid

MAX_PARAMETERS = 32
SEVERAL = "expected one value, got several"


def read(
    request: Request, known: Sequence[str], members: Collection[str] = ()
) -> tuple[dict[str, list[str]], list[Detail]]:
    """Return the values of each known parameter, and a fault for each unknown one.

    `members` are names that belong in the body instead. Raises a 400 beyond `MAX_PARAMETERS`.
    """
    if request.scope["query_string"].count(b"&") >= MAX_PARAMETERS:
        raise invalid(f"The URL has more than {MAX_PARAMETERS} query parameters")
    given = request.query_params
    faults = []
    for name in given:
        if name not in known:
            hint = "it belongs in the body" if name in members else f"known: {', '.join(known)}"
            faults.append(Detail(name, f"unknown query parameter; {hint}"))
    return {name: given.getlist(name) for name in known}, faults
