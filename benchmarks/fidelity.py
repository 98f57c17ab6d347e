"""How near the pictures come to a path tracer's: `python -m benchmarks.fidelity [--quick] [WORD...]`.

Prints and saves the table, writes contact sheets to build/fidelity/ and fails when a measure does. Words
choose references by parts of their names; --quick leaves the sweep through every pose out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from benchmarks import checks, contact, measures, posed, traced
from benchmarks.cases import REFERENCES, Case, selected
from benchmarks.shadows import shadow_error
from service.arrays import U8

ROOT = Path(__file__).resolve().parent.parent
BACKGROUND = (242, 243, 245)


class Figures(NamedTuple):
    """The measures of one case; NaN where there is nothing to measure."""

    iou: float
    corner: float
    ssim: float
    delta_e: float
    metal: float
    metal_ssim: float
    shadow: float


@dataclass(frozen=True)
class Row:
    """A measure over everything: its value, its limit and whether more is better."""

    name: str
    value: float
    limit: float
    least: bool = False
    note: str = ""

    @property
    def good(self) -> bool:
        return bool(self.value >= self.limit if self.least else self.value <= self.limit)


def compare(case: Case) -> tuple[Figures, U8]:
    """The figures of one case and its strip of the contact sheet."""
    truth, ours = traced.read(case), posed.pose(case)
    a, b = traced.over(ours.code, ours.alpha, BACKGROUND), traced.over(truth.code, truth.alpha, BACKGROUND)
    either = (np.maximum(ours.alpha, truth.alpha) > 0).astype(np.uint8)
    inside = cv2.dilate(either, np.ones((7, 7), np.uint8)) > 0
    metal = (truth.metal > 0.99) & (np.minimum(ours.alpha, truth.alpha) > 0.99)
    alike = measures.ssim_map(a, b)
    apart = np.abs(a.astype(np.float64) - b).mean(axis=-1)
    corners = posed.screen_corners(ours.plate)
    corner = float("nan")
    if corners is not None:
        corner = float(np.hypot(*(measures.corners(truth.screen, corners) - corners).T).max())
    figures = Figures(
        iou=measures.overlap(ours.alpha, truth.alpha),
        corner=corner,
        ssim=float(alike[inside].mean()),
        delta_e=float(measures.ciede2000(measures.lab(a[inside]), measures.lab(b[inside])).mean()),
        metal=float(apart[metal].mean()),
        metal_ssim=float(alike[metal].mean()),
        shadow=shadow_error(case, truth.alpha),
    )
    caption = f"{case.name}  SSIM {figures.ssim:.4f}  dE {figures.delta_e:.2f}  metal {figures.metal:.1f}"
    return figures, contact.strip(a, b, inside, caption)


def references(cases: list[Case]) -> tuple[list[str], list[Row]]:
    """Compare every case: the lines of the long table, and the rows that must hold."""
    lines, found = [], []
    for (device, light), group in groupby(cases, key=lambda case: (case.device, case.environment)):
        strips = []
        for case in group:
            figures, strip = compare(case)
            found.append(figures)
            strips.append(strip)
            cells = (
                f"{value:.{places}f}" for value, places in zip(figures, (4, 3, 4, 2, 1, 3, 4), strict=True)
            )
            lines.append(f"| {case.device} | {case.pose} | {case.environment} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
        contact.write(ROOT / "build" / "fidelity" / f"{device}.{light}.png", strips)
    table = np.array(found)

    def over(column: str, fold: Callable[..., float]) -> float:
        return float(fold(table[:, Figures._fields.index(column)]))

    return lines, [
        Row("silhouette, intersection over union, worst", over("iou", np.nanmin), 0.996, least=True),
        Row("screen corner error, px, worst", over("corner", np.nanmax), 0.5),
        Row("SSIM over the device, mean", over("ssim", np.nanmean), 0.96, least=True),
        Row("SSIM over the device, worst", over("ssim", np.nanmin), 0.93, least=True),
        Row("CIEDE2000 over the device, mean", over("delta_e", np.nanmean), 2.5),
        Row("metal, absolute error of 255, mean", over("metal", np.nanmean), 6.0),
        Row("metal, SSIM, mean", over("metal_ssim", np.nanmean), 0.88, least=True),
        Row("shadow, absolute error of alpha, worst", over("shadow", np.nanmax), 0.01),
    ]


def without_references(quick: bool) -> list[Row]:
    """The checks that need no reference."""
    rows = [
        Row("text against its supersampled warp, dB, worst", checks.sharpness(), 38.0, least=True),
        Row("1-px checkerboard, slow ripple of 255, worst", checks.moire(), 4.0),
        Row("two-colour gradient of 1920 px, longest run, px", checks.banding(), 24.0),
        Row("plate at 1920 × 1080 with its shadow, ms, median", checks.plate_ms(), 200.0),
    ]
    for device in ("iphone-16-pro", "macbook-pro-14") if not quick else ():
        turned = checks.sweep(device)
        name = f"{device} every 15°"
        rows += [
            Row(f"{name}: pixels of gaps, worst", turned.gap, 0, note=turned.gap_at),
            Row(f"{name}: jump within 1°, of 255, worst", turned.pop, checks.LINE, note=turned.pop_at),
            Row(f"{name}: flickering pixels, worst", turned.specks, 8, note=turned.specks_at),
        ]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave the sweep through every pose out")
    parser.add_argument("words", nargs="*", help="parts of the names of the references to compare")
    options = parser.parse_args()
    wanted = selected(options.words)
    cases = [case for case in wanted if (REFERENCES / f"{case.name}.png").exists()]
    if not cases:
        print("no such references: make references draws them", file=sys.stderr)
        return 1
    head = ["| device | pose | light | IoU | corner px | SSIM | ΔE | metal | metal SSIM | shadow |"]
    head.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    print("\n".join(head))
    lines, rows = references(cases)
    rows.append(Row("references missing", len(wanted) - len(cases), 0))
    if not options.words:
        rows += without_references(options.quick)
    short = ["| measure | found | limit | |", "| --- | --- | --- | --- |"]
    for row in rows:
        verdict = ("holds" if row.good else "FAILS") + (f", at {row.note}" if row.note else "")
        sign = "≥" if row.least else "≤"
        short.append(f"| {row.name} | {row.value:.4g} | {sign} {row.limit:g} | {verdict} |")
    print("\n" + "\n".join(short))
    today = datetime.now(UTC).date()
    if not options.words:
        title = f"# Fidelity, {today}\n\nAgainst {len(cases)} path-traced references at 960 × 540.\n"
        file = ROOT / "benchmarks" / "results" / f"fidelity-{today}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join([title, *short, "", *head, *lines, ""]))
        print(f"\nsaved {file.relative_to(ROOT)}, contact sheets in build/fidelity/")
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
