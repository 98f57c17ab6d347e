"""The measurements as tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.speed.cases import Case
from benchmarks.speed.figures import Times

Results = dict[Case, dict[str, Times]]

WARM, COLD, FAST, FAST_COLD = (f"this service, {mode}" for mode in ("warm", "cold", "fast", "fast cold"))
HTTP, HTTP_COLD, HTTP_FAST, HTTP_UPLOAD = (
    "over HTTP",
    "over HTTP, cold",
    "over HTTP, fast",
    "over HTTP, upload",
)
FLOOR, BROWSER, BROWSER_KEPT, SKIA = "floor", "Chromium", "Chromium, page kept", "Skia, CPU"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]


def number(value: float) -> str:
    """A number with three significant digits."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}"


def ratio(results: Results, case: Case, slow: str, quick: str) -> float:
    """The ratio of the times of `slow` and `quick`; NaN if either was not measured."""
    times = results.get(case, {})
    if slow not in times or quick not in times:
        return float("nan")
    return times[slow].median / times[quick].median


def medians(results: Results) -> list[str]:
    """Medians, and each peer's ratio to the warm service over HTTP."""
    lines: list[str] = []
    for case, times in results.items():
        rows = []
        for name, found in times.items():
            shown = [name, f"**{number(found.median)}**" if name == HTTP else number(found.median)]
            shown += [f"{ratio(results, case, name, HTTP):.2f}×", f"{ratio(results, case, name, FLOOR):.2f}×"]
            shown += [number(found.size / 1e3), str(len(found.values))]
            rows.append([cell.replace("nan×", "–") for cell in shown])
            if found.failure:
                rows.append([name, f"none: {found.failure[:120]}", "", "", "", ""])
        lines += [f"\n### {case.name}\n"]
        lines += table(["", "median ms", "of ours over HTTP", "of the floor", "file kB", "pictures"], rows)
    return lines


def against_browser(results: Results) -> list[str]:
    """Chromium's times relative to ours, with a new page for each picture and with one that is kept."""
    ours = (HTTP, HTTP_UPLOAD, HTTP_COLD, WARM)
    head = ["Chromium / ours, new page; page kept", "base64", "upload", "base64, cold", "engine alone"]
    rows = [
        [
            case.name,
            *(
                "; ".join(f"{ratio(results, case, one, name):.1f}" for one in (BROWSER, BROWSER_KEPT))
                for name in ours
            ),
        ]
        for case in results
    ]
    return table(head, [[cell.replace("nan", "–") for cell in row] for row in rows])


def stages(results: Results) -> list[str]:
    """The stages of the service and of the floor, medians in ms."""
    rows = []
    for case, times in results.items():
        for name, found in times.items():
            parts = found.stage_medians()
            if parts:
                listed = ", ".join(f"{stage} {number(ms)}" for stage, ms in parts.items())
                rows.append([case.name, name, number(found.median), listed])
    return table(["case", "", "ms", "stages, ms"], rows)


@dataclass(frozen=True)
class Goal:
    """A ratio that should be at least, or at most, `limit`."""

    text: str
    value: float
    limit: float
    least: bool = True

    @property
    def verdict(self) -> str:
        if math.isnan(self.value):
            return "not measured"
        return "holds" if (self.value >= self.limit) == self.least or self.value == self.limit else "missed"

    def row(self) -> list[str]:
        return [self.text, f"{self.value:.2f}", f"{'≥' if self.least else '≤'} {self.limit:g}", self.verdict]


def goals(results: Results) -> list[Goal]:
    """The goals of the service that were measured."""
    large, full = Case(3840, 2160, "png"), Case(1920, 1080, "png")
    lens, jpeg = Case(1920, 1080, "png", True), Case(1920, 1080, "jpeg")
    webp, heavy = Case(1920, 1080, "webp"), Case(3840, 2160, "jpeg", True)

    def of(case: Case, slow: str, quick: str) -> float:
        return ratio(results, case, slow, quick)

    return [
        Goal("1920×1080 PNG over HTTP: Chromium / ours", of(full, BROWSER, HTTP), 20),
        Goal("3840×2160 PNG over HTTP: Chromium / ours", of(large, BROWSER, HTTP), 25),
        Goal("1920×1080 PNG, all effects, over HTTP: Chromium / ours", of(lens, BROWSER, HTTP), 14),
        Goal("1920×1080 JPEG over HTTP: Chromium / ours", of(jpeg, BROWSER, HTTP), 13),
        Goal("1920×1080 WebP over HTTP: Chromium / ours", of(webp, BROWSER, HTTP), 10),
        Goal("cold 1920×1080 PNG over HTTP: Chromium / ours", of(full, BROWSER, HTTP_COLD), 9),
        Goal("1920×1080 JPEG of an upload over HTTP: Chromium / ours", of(jpeg, BROWSER, HTTP_UPLOAD), 25),
        Goal("1920×1080 PNG over HTTP: normal / fast", of(full, HTTP, HTTP_FAST), 1.6),
        Goal("1920×1080 PNG, cold: normal / fast", of(full, COLD, FAST_COLD), 2.5),
        Goal("warm 3840×2160 PNG: Skia / ours", of(large, SKIA, WARM), 10),
        Goal("warm 3840×2160 PNG: ours / floor", of(large, WARM, FLOOR), 1.5, least=False),
        Goal("warm 1920×1080 PNG: ours / floor", of(full, WARM, FLOOR), 1.6, least=False),
        Goal("3840×2160 JPEG, all effects: ours / floor", of(heavy, WARM, FLOOR), 2.2, least=False),
    ]


def goal_table(found: Sequence[Goal]) -> list[str]:
    return table(["ratio", "found", "goal", ""], [goal.row() for goal in found])
