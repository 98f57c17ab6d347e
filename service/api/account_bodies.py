"""Models of the bodies of administration."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from pydantic import Field, ValidationError
from pydantic.config import JsonDict

from ..accounts.grants import SCOPES, Scope
from ..errors import Detail, refusal
from ..limits import KEY_NAME_LENGTH, KEY_ORIGINS
from ..settings.merge import without_nulls
from ..validation import messages
from ..validation.group import Flag, Group, Whole
from .uuids import is_uuid

DAY_S = 86_400
_MOMENT: JsonDict = {"format": "date-time"}
_END = "date and time with an offset; default: no end"


class NewUser(Group):
    """A user to be added."""

    example: ClassVar = {"email": "ada@example.com", "plan": "pro"}

    email: str = Field(
        min_length=3, max_length=254, description="e-mail address", json_schema_extra={"format": "email"}
    )
    plan: str = Field("free", min_length=1, max_length=16, description="the user's plan")
    until: str | None = Field(None, description=f"when the plan ends, {_END}", json_schema_extra=_MOMENT)


class Subscription(Group):
    """A user's plan."""

    example: ClassVar = {"plan": "pro", "until": "2099-12-31T00:00:00Z"}

    plan: str = Field(min_length=1, max_length=16, description="the user's plan")
    until: str | None = Field(None, description=f"when the plan ends, {_END}", json_schema_extra=_MOMENT)


class NewKey(Group):
    """A key to be issued."""

    example: ClassVar = {"userId": "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90", "name": "build server"}

    user_id: str = Field(description="id of the key's holder", json_schema_extra={"format": "uuid"})
    name: str | None = Field(
        None, min_length=1, max_length=KEY_NAME_LENGTH, description="what the key is for"
    )
    expires_at: str | None = Field(None, description=f"when the key ends, {_END}", json_schema_extra=_MOMENT)
    scopes: tuple[Scope, ...] = Field(
        (), max_length=len(SCOPES), description="what the key may do; default: everything its holder may do"
    )
    origins: tuple[str, ...] = Field(
        (),
        max_length=KEY_ORIGINS,
        description="the pages that may use it; only for keys with the single scope render",
    )
    test: Flag = Field(False, description="a key for tests, whose pictures have a watermark")


class Rotation(Group):
    """How a key is replaced."""

    example: ClassVar = {"overlapSeconds": 3600}

    overlap_seconds: Whole = Field(
        DAY_S, ge=0, le=3650 * DAY_S, description="how long the old key stays valid"
    )
    expires_at: str | None = Field(
        None,
        description="when the new key ends, date and time with an offset; default: the old key's lifetime",
        json_schema_extra=_MOMENT,
    )


M = TypeVar("M", NewUser, Subscription, NewKey, Rotation)


def parse(body: dict[str, Any], model: type[M]) -> M:
    """Validate a body; raises a 400 that names every offending path."""
    try:
        return model.model_validate(without_nulls(body, model))
    except ValidationError as error:
        raise refusal(*messages.details(error, model)) from None


def moment(text: str | None, path: str) -> datetime | None:
    """A date and time with an offset, in UTC; raises a 400 that names `path`."""
    if text is None:
        return None
    found = None
    # Converted to UTC, the last hours of 9999 can be in the year 10000, which a datetime cannot hold.
    with suppress(ValueError, OverflowError):
        given = datetime.fromisoformat(text)
        found = given.astimezone(UTC) if given.tzinfo else None
    if found is None:
        expected = "expected a date and time with an offset, such as 2030-12-31T00:00:00Z"
        raise refusal(Detail(path, f"{expected}, got {messages.shown(text)}"))
    return found


def user_id(text: str, path: str = "userId") -> UUID:
    """A user's id; raises a 400 that names `path`."""
    if not is_uuid(text):
        raise refusal(Detail(path, f"expected a UUID, got {messages.shown(text)}"))
    return UUID(text)
