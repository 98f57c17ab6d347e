"""The base of the models of requests and settings: groups of members, and their scalar types."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationInfo,
    field_validator,
)
from pydantic.alias_generators import to_camel

from . import aliases, messages
from .color import PATTERN

ColorText = Annotated[str, Field(pattern=PATTERN, examples=["#3366FF"])]


def number(value: Any) -> Any:
    """The value if it is a finite number; raises ValueError."""
    # Pydantic's lax mode would accept true for 1 and "3" for 3.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("expected a number")
    if (isinstance(value, int) and abs(value) > 2**63) or not math.isfinite(value):
        raise ValueError("expected a finite number")  # nor an integer too large for a float
    return value


Number = Annotated[float, BeforeValidator(number), Field(allow_inf_nan=False)]


def _whole(value: Any) -> Any:
    number(value)
    if float(value) != int(value):
        raise ValueError("expected a whole number")
    return int(value)


Whole = Annotated[int, BeforeValidator(_whole)]


Flag = Annotated[bool, Field(strict=True)]


@dataclass(frozen=True, slots=True)
class Shown:
    """Metadata of a field: how a form shows it.

    `unit` is shown after the number, `step` is the change by an arrow key, and `title` replaces the member's
    name where a user would not understand that name. `needs` has other members of the group, each with some
    values: this field matters only if the member has one of them; `categories` are the devices for which it
    matters.
    """

    unit: str = ""
    step: float | None = None
    needs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)
    categories: tuple[str, ...] = ()
    title: str = ""

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The field's schema with its unit."""
        made = handler(schema)
        return {**made, "x-unit": self.unit} if self.unit else made


Angle = Annotated[Number, Shown("°", 1)]
Factor = Annotated[Number, Shown("×", 0.05)]
Level = Annotated[Number, Shown(step=0.01)]


def title(name: str) -> str:
    """A member's name in words: `Rotation X` for `rotation_x`."""
    first, *words = name.split("_")
    first = "URL" if first == "url" else first.capitalize()
    return " ".join([first, *(word.upper() if len(word) == 1 else word for word in words)])


class Group(BaseModel):
    """A frozen JSON object with camelCase members; unknown members are errors.

    Names are matched loosely and kept in their canonical form. `other_names` has suggestions for names that
    other services use for its members.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=False,
        defer_build=True,
        strict=False,
        field_title_generator=lambda name, _: title(name),
    )
    other_names: ClassVar[Mapping[str, aliases.Suggestion]] = {}

    @field_validator("*", mode="before")
    @classmethod
    def _named(cls, value: Any, info: ValidationInfo) -> Any:
        return messages.canonical(cls.model_fields[info.field_name or ""], value)
