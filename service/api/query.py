"""Query parameters as models: bounded in number, unknown ones reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_args

from pydantic import BaseModel, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from starlette.requests import Request

from ..accounts.pages import NEXT
from ..errors import Detail, invalid, refusal
from ..limits import PAGE, QUERY_PARAMETERS
from ..validation import messages
from ..validation.group import Group, Whole
from ..validation.names import index, match

_SEVERAL = "expected one value, got several"
_DIGITS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Wording:
    """Metadata of a parameter: the message for an invalid value, in which `{}` is replaced with the value."""

    text: str


def listed(names: Callable[[], Iterable[str]]) -> Callable[[dict[str, Any]], None]:
    """Adds names to a parameter's schema; they are looked up when the schema is made."""
    return lambda schema: schema.update(enum=list(names()))


class Query(Group):
    """The parameters of an operation; this one has none.

    A `repeatable` parameter may be given several times, if always with the same value. Members of the `body`
    that a caller puts into the query by mistake are named in the error.
    """

    repeatable: ClassVar[bool] = False
    body: ClassVar[type[BaseModel] | None] = None

    @classmethod
    def of(cls, request: Request) -> Self:
        """The parameters of a request; raises a 400 that names every fault, or if there are too many."""
        if request.scope["query_string"].count(b"&") >= QUERY_PARAMETERS:
            raise invalid(f"The URL has more than {QUERY_PARAMETERS} query parameters")
        fields, given = messages.members(cls), request.query_params
        faults = [Detail(name, cls._unknown(name)) for name in given if name not in fields]
        values: dict[str, Any] = {}
        for name, field in fields.items():
            texts = given.getlist(name)
            found = {_read(field, text) for text in texts}
            if len(found) > 1 or (len(texts) > 1 and not cls.repeatable):
                faults.append(Detail(name, _SEVERAL))
            elif found:
                values[name] = found.pop()
        try:
            query = cls.model_validate(values)
        except ValidationError as error:
            for item in error.errors(include_url=False):
                name = str(item["loc"][0])
                faults.append(Detail(name, _fault(fields[name], item, given[name])))
            raise refusal(*faults) from None
        if faults:
            raise refusal(*faults)
        return query

    @classmethod
    def _unknown(cls, name: str) -> str:
        if cls.body is not None and name in messages.members(cls.body):
            return "unknown query parameter; it belongs in the body"
        known = ", ".join(messages.members(cls))
        return "unknown query parameter; " + (f"known: {known}" if known else "this operation takes none")


def _read(field: FieldInfo, text: str) -> str | int:
    """A text as the field's type, or unchanged if it cannot be converted."""
    chosen = match(text, index(messages.choices(field))) or text
    return int(chosen) if _is_whole(field) and _DIGITS.fullmatch(chosen) else chosen


def _is_whole(field: FieldInfo) -> bool:
    forms = messages.alternatives(field.annotation)
    return int in forms or any(isinstance(one, int) for form in forms for one in get_args(form))


def _fault(field: FieldInfo, item: ErrorDetails, text: str) -> str:
    reason = str(item.get("ctx", {}).get("error", ""))
    if reason.startswith("unknown "):
        return reason
    wording = next((one.text for one in messages.metadata(field) if isinstance(one, Wording)), None)
    wording = wording or f"expected {messages.expected(field)}, got {{}}"
    return wording.replace("{}", messages.shown(text))


class ListPage(Query):
    """The requested page of a list."""

    repeatable: ClassVar[bool] = True

    limit: Whole = Field(PAGE, ge=1, le=PAGE, description="maximum number of items")
    after: Annotated[str | None, Wording("expected next from another response, got {}")] = Field(
        None, pattern=f"^{NEXT}$", description="`next` of the previous page"
    )


class OwnersPage(ListPage):
    """The requested page of a list of objects that belong to users."""

    user_id: str | None = Field(
        None,
        description="only those of the user with this id",
        # Checked by `account_bodies.user_id`; here for OpenAPI only.
        json_schema_extra={"format": "uuid"},
    )


class ProjectsPage(ListPage):
    """The requested page of a list of projects."""

    limit: Whole = Field(
        PAGE, ge=1, le=PAGE, description="maximum number of items; fewer if their settings are large"
    )


class OwnedProjectsPage(ProjectsPage, OwnersPage):
    """The requested page of the list of all users' projects."""
