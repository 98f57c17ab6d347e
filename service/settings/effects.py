"""Effects on the finished picture: the members of each, and its form at an `export.scale`.

Each effect has a class here, a field in `PostProcessing`, and a file named like the field in
`service/render/effects/`. The order of the fields is the order of the effects.
"""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

from pydantic import Discriminator, Field, Tag

from ..validation import messages
from ..validation.group import Factor, Flag, Group, Level, Number, Shown, Whole

Strength = Annotated[Level, Shown(title="strength")]


class Effect(Group):
    """An effect on the finished picture."""

    def at(self, scale: float) -> Self | None:
        """The effect as it applies at an `export.scale`; None when it does nothing."""
        raise NotImplementedError


class Depth(Effect):
    """Depth of field: blurs everything in front of and behind the plane of focus, but not captions."""

    amount: Strength = Field(0.5, ge=0, le=1, description="width of the aperture")
    focus: Annotated[Number, Shown(step=0.05)] = Field(
        0.0, ge=-1, le=1, description="the plane in focus: -1 nearest, 0 the screen's middle, 1 farthest"
    )

    def at(self, scale: float) -> Self | None:
        """The effect, which is the same at every scale."""
        return self if self.amount else None


class Bloom(Effect):
    """Glow around bright parts."""

    intensity: Annotated[Factor, Shown(title="strength")] = Field(
        0.6, ge=0, le=3, description="strength of the glow"
    )
    threshold: Level = Field(0.8, ge=0, le=1, description="brightness above which parts glow")
    radius: Level = Field(0.4, ge=0, le=1, description="reach of the glow")

    def at(self, scale: float) -> Self | None:
        """The effect, which is the same at every scale."""
        return self if self.intensity else None


class Vignette(Effect):
    """Darkening towards the corners."""

    amount: Strength = Field(0.35, ge=0, le=1, description="darkness of the corners")
    softness: Level = Field(0.5, ge=0, le=1, description="how far the dark corners reach inwards")

    def at(self, scale: float) -> Self | None:
        """The effect, which is the same at every scale."""
        return self if self.amount else None


class Grain(Effect):
    """Film grain."""

    amount: Strength = Field(0.08, ge=0, le=1, description="strength")
    size: Annotated[Number, Shown("px", 0.1)] = Field(1.0, ge=1, le=4, description="pixels at export.scale 1")
    seed: Annotated[Whole, Shown(title="pattern")] = Field(
        0, ge=0, le=2**31 - 1, description="selects the pattern"
    )

    def at(self, scale: float) -> Self | None:
        """Grains of `size` output pixels; grains that are smaller than a pixel are averaged."""
        size = self.size * scale
        amount = self.amount * min(1.0, size)
        return self.model_copy(update={"amount": amount, "size": max(1.0, size)}) if amount else None


def _form(value: Any) -> str:
    return "object" if isinstance(value, dict | Group) else "flag"


E = TypeVar("E", bound=Effect)
# A form is chosen by the value's type, so that an error mentions only that form.
Switched = Annotated[Annotated[Flag, Tag("flag")] | Annotated[E, Tag("object")], Discriminator(_form)]


class PostProcessing(Group):
    """Effects on the finished picture, each a boolean or an object."""

    depth: Switched[Depth] = Field(False, description="depth of field: blur in front of and behind the focus")
    bloom: Switched[Bloom] = Field(False, description="glow around bright parts")
    vignette: Switched[Vignette] = Field(False, description="darker corners")
    grain: Switched[Grain] = Field(False, description="film grain")

    def effects(self, scale: float) -> tuple[Effect, ...]:
        """The requested effects at an `export.scale`."""
        given = ((getattr(self, name), effect) for name, effect in EFFECTS.items())
        wanted = (effect() if value is True else value for value, effect in given if value is not False)
        return tuple(made for one in wanted if (made := one.at(scale)))


def _switched(model: type[Group]) -> dict[str, type[Effect]]:
    """The effects that are members of a model, by name, in order; raises TypeError for any other member."""
    effects: dict[str, type[Effect]] = {}
    for name, field in model.model_fields.items():
        effect = messages.group_of(field)
        if effect is None or not issubclass(effect, Effect):
            raise TypeError(f"{name} is not an effect")
        effects[name] = effect
    return effects


#: Every effect by its name, in the order in which they apply.
EFFECTS = _switched(PostProcessing)
