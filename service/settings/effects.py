"""Effects on the finished picture, with their settings resolved; frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass


class Effect:
    """An effect on the finished picture."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Bloom(Effect):
    """Strength, brightness threshold 0-1 and reach 0-1 of the glow."""

    intensity: float
    threshold: float
    radius: float


@dataclass(frozen=True, slots=True)
class Vignette(Effect):
    """Darkness of the corners 0-1 and softness 0-1."""

    amount: float
    softness: float


@dataclass(frozen=True, slots=True)
class Grain(Effect):
    """Strength 0-1, size in output pixels and seed."""

    amount: float
    size: float
    seed: int
