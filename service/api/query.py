"""Query parameters: bounded in number, unknown ones reported."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from starlette.requests import Request

from service.accounts.pages import NEXT, PAGE
from service.errors import Detail, invalid, refusal
from service.validation import messages

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


@dataclass(frozen=True, slots=True)
class PageWanted:
    """Which page of a list: at most `limit` rows behind the cursor `after`; other parameters are `given`."""

    limit: int
    after: str | None
    given: dict[str, str]


def page(request: Request, others: Sequence[str] = ()) -> PageWanted:
    """The page that a request asks for, and the values of `others`; raises a 400 that names every fault."""
    parameters, faults = read(request, ("limit", "after", *others))
    faults += [Detail(name, SEVERAL) for name, values in parameters.items() if len(set(values)) > 1]
    given = {name: values[0] for name, values in parameters.items() if len(set(values)) == 1}
    limit, after = given.pop("limit", str(PAGE)), given.pop("after", None)
    if not re.fullmatch(r"[0-9]{1,9}", limit) or not 1 <= int(limit) <= PAGE:
        faults.append(
            Detail("limit", f"expected a whole number from 1 to {PAGE}, got {messages.shown(limit)}")
        )
    if after is not None and not re.fullmatch(NEXT, after):
        faults.append(Detail("after", f"expected next from another response, got {messages.shown(after)}"))
    if faults:
        raise refusal(*faults)
    return PageWanted(int(limit), after, given)
