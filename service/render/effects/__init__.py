"""Effects on the picture, in a camera's order: focus, glow in the lens, darkening at its rim, film grain.

Each effect has a module of its name with a function `prepare`, and settings in `service/settings/effects.py`.
Between effects, code values stay fractional; they are rounded once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from ...settings.effects import EFFECTS, Effect
from .band import Picture, Step

Prepare = Callable[[Any, Picture], Step | None]

PREPARE: dict[type[Effect], Prepare] = {
    effect: import_module(f"{__name__}.{name}").prepare for name, effect in EFFECTS.items()
}


def prepare(wanted: Iterable[Effect], picture: Picture) -> list[Step]:
    """The steps to apply to each band of a picture, in order, without effects that change nothing."""
    given = {type(effect): effect for effect in wanted}
    steps = [ready(given[kind], picture) for kind, ready in PREPARE.items() if kind in given]
    return [step for step in steps if step]
