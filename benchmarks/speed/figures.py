"""Statistics of the measurements."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Times:
    """One contender's times in one case, ms, its files' sizes and its stages, for each picture."""

    values: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    failure: str = ""

    def add(self, ms: float, size: int, stages: dict[str, float]) -> None:
        self.values.append(ms)
        self.sizes.append(size)
        self.stages.append(stages)

    @property
    def total(self) -> float:
        return sum(self.values)

    @property
    def median(self) -> float:
        """The median, NaN if nothing was measured."""
        return statistics.median(self.values) if self.values else float("nan")

    @property
    def size(self) -> float:
        """The median file size, bytes."""
        return statistics.median(self.sizes) if self.sizes else float("nan")

    def stage_medians(self) -> dict[str, float]:
        """The median of each stage over the pictures that had it, in the order they ran."""
        names = dict.fromkeys(name for stages in self.stages for name in stages)
        return {
            name: statistics.median(stages[name] for stages in self.stages if name in stages)
            for name in names
        }


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least `share` (0-1) of the values do not exceed; NaN without values."""
    ordered = sorted(values)
    if not ordered:
        return float("nan")
    rank = -(-share * len(ordered) // 1)
    return ordered[max(0, min(len(ordered), int(rank)) - 1)]
