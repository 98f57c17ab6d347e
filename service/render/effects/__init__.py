"""Effects on the finished picture, in order: light spreads in the lens, dims at its rim, meets the film.

Each has a file with a `prepare`. Code values stay fractional in between and are rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from service.render.effects import bloom, grain, vignette
from service.render.effects.band import Picture, Step
from service.settings.effects import Bloom, Effect, Grain, Vignette

EFFECTS: tuple[tuple[type[Effect], Callable[[Any, Picture], Step | None]], ...] = (
    (Bloom, bloom.prepare),
    (Vignette, vignette.prepare),
    (Grain, grain.prepare),
)


def prepare(wanted: Iterable[Effect], picture: Picture) -> list[Step]:
    """The steps to apply to each band of a picture, in order, without effects that change nothing."""
    given = {type(effect): effect for effect in wanted}
    steps = [ready(given[kind], picture) for kind, ready in EFFECTS if kind in given]
    return [step for step in steps if step]
