"""The base of all models of responses: camelCase, their schemas, and examples."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from ..validation import messages

#: A number; whole numbers are written without a fraction.
Real = Annotated[int | float, WithJsonSchema({"type": "number"})]
Moment = Annotated[datetime, Field(examples=["2026-11-22T10:00:00+00:00"])]


def optional(**about: Any) -> Any:
    """A field that is left out of the response if it does not apply."""
    return Field(None, **about)


class Answer(BaseModel):
    """A JSON object of a response, written in the order of its fields."""

    # Built when first used, since the service starts sooner without them.
    model_config = ConfigDict(
        frozen=True,
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        defer_build=True,
    )

    @classmethod
    def of(cls, value: object) -> Self:
        """The answer with the attributes of `value`, which have the fields' names."""
        return cls.model_validate(value)

    def written(self) -> dict[str, Any]:
        """The members that are set, by their JSON names."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def json_bytes(self) -> bytes:
        """The object as JSON, UTF-8."""
        return orjson.dumps(self.written())


def example(model: type[BaseModel]) -> dict[str, Any]:
    """An example of a model: its own, or one made of its fields' examples; optional fields may have none."""
    if (given := getattr(model, "example", None)) is not None:
        return dict(given)
    found = {name: _example(field) for name, field in messages.members(model).items()}
    return {name: value for name, value in found.items() if value is not _NONE}


_NONE = object()


def _example(field: FieldInfo) -> Any:
    if field.examples:
        return field.examples[0]
    if not field.is_required():
        return _NONE
    model = messages.group_of(field)
    if model is not None:
        return example(model)
    for form in messages.alternatives(field.annotation):
        inner = getattr(form, "__args__", ())
        if inner and isinstance(inner[0], type) and issubclass(inner[0], BaseModel):
            return [example(inner[0])]
    return _NONE
