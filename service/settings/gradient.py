"""The stops of a gradient, as callers send them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from ..limits import GRADIENT_STOPS
from ..validation.group import ColorText, Group, Level
from ..validation.messages import worded

GradientType = Literal["linear", "radial", "conic", "mesh"]


class GradientStop(Group):
    """A colour of a gradient."""

    color: ColorText = Field(description="colour of the stop; its alpha counts too")
    at: Level | None = Field(
        None, ge=0, le=1, description="place along the gradient; default: evenly between its neighbours"
    )


def _ordered(stops: tuple[GradientStop, ...]) -> tuple[GradientStop, ...]:
    """The stops; raises PydanticCustomError unless there are enough of them in ascending order."""
    said = f"expected a list of 2 to {GRADIENT_STOPS} stops, got {len(stops)}" if len(stops) == 1 else ""
    for number, (before, after) in enumerate(pairwise(spread([stop.at for stop in stops])), 1):
        if after < before and not said:
            said = f"expected stops in ascending order, but [{number}].at is {after:g} after {before:g}"
    if said:
        raise worded(said)
    return stops


GradientStops = Annotated[
    tuple[GradientStop, ...],
    Field(
        max_length=GRADIENT_STOPS,
        examples=[[{"color": "#3366FF"}, {"color": "#FFC040"}]],
        json_schema_extra={"not": {"minItems": 1, "maxItems": 1}},
    ),
    AfterValidator(_ordered),
]


def spread(places: Sequence[float | None]) -> list[float]:
    """Positions along a gradient; missing ones are spread evenly, with 0 and 1 at the ends."""
    if not places:
        return []
    found = [*places]
    found[0] = 0.0 if found[0] is None else found[0]
    found[-1] = 1.0 if found[-1] is None else found[-1]
    known = [number for number, place in enumerate(found) if place is not None]
    for low, high in pairwise(known):
        first, last = found[low], found[high]
        assert first is not None
        assert last is not None
        for number in range(low + 1, high):
            found[number] = first + (last - first) * (number - low) / (high - low)
    return [place for place in found if place is not None]
