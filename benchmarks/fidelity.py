"""Compares pictures with a path tracer's: `python -m benchmarks.fidelity [--quick] [--pairs] [WORD...]`.

It prints and saves the table, writes contact sheets to build/fidelity/, and fails if a measure exceeds its
limit. Words choose references by parts of their names; --quick omits the sweep through every pose. --pairs
measures nothing, and writes pairs for a blind test to build/fidelity/pairs/, with the key next to the folder.
--random N --seed S traces N devices without a reference, in random poses and light, to
build/fidelity/random-S/, and compares with these.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import checks, contact, measures, pairs, posed, scenes, traced
from benchmarks.cases import CASES, REFERENCES, SCENES, Case, drawn, selected
from benchmarks.dashes import dashes
from benchmarks.regions import CLEAR, Mask, band, contours, from_outside, ground, screen, smooth, whole
from benchmarks.shadows import shadow_error
from service.arrays import U8
from service.settings.schema import Glare

ROOT = Path(__file__).resolve().parent.parent
SHEETS = ROOT / "build" / "fidelity"
BACKGROUND = (242, 243, 245)
FEW = 100  # px; least number for a mean


class Figures(NamedTuple):
    """The measures of one case; NaN where there is nothing to measure.

    Mean absolute errors of 255: `glass` on glass without a screenshot behind it, `inner` in a band around
    edges inside the silhouette, `ground` around raised parts. `dash` is the longest dash along inner edges,
    px.
    """

    iou: float
    corner: float
    ssim: float
    delta_e: float
    metal: float
    metal_ssim: float
    glass: float
    screen: float
    inner: float
    dash: float
    ground: float
    shadow: float


PLACES = (4, 3, 4, 2, 1, 3, 1, 1, 1, 0, 1, 4)
HEAD = (
    "IoU", "corner px", "SSIM", "ΔE", "metal", "metal SSIM", "glass", "screen", "inner", "dash px", "ground",
    "shadow",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A measure: value over all cases, limit, whether more is better, and value over held-out cases."""

    name: str
    value: float
    limit: float
    least: bool = False
    note: str = ""
    held: float = float("nan")

    @property
    def good(self) -> bool:
        return bool(self.value >= self.limit if self.least else self.value <= self.limit)


class Seen(NamedTuple):
    """Our picture and the reference over one background (h, w, 3), and a mask around the device."""

    ours: U8
    truth: U8
    inside: Mask


def seen(ours: posed.Posed, truth: traced.Traced) -> Seen:
    """Our picture and the reference, as they are compared."""
    a, b = (traced.over(of.code, of.alpha, BACKGROUND) for of in (ours, truth))
    either = (np.maximum(ours.alpha, truth.alpha) > 0).astype(np.uint8)
    return Seen(a, b, cv2.dilate(either, np.ones((7, 7), np.uint8)) > 0)


def compare(case: Case, glare: Glare, folder: Path = REFERENCES) -> tuple[Figures, U8]:
    """The figures of one case against the reference in a folder, and its strip of the contact sheet."""
    truth, ours = traced.read(case, glare, folder), posed.pose(case, glare)
    a, b, inside = seen(ours, truth)
    device, regions = case.model, truth.regions
    metal = (truth.metal > 0.99) & (np.minimum(ours.alpha, truth.alpha) > 0.99)
    clear = whole(from_outside(regions) > CLEAR)
    alike = measures.ssim_map(a, b)
    apart = np.abs(a.astype(np.float64) - b).mean(axis=-1)

    def error(mask: Mask) -> float:
        return float(apart[mask].mean()) if mask.sum() >= FEW else float("nan")

    corners = posed.screen_corners(ours.plate)
    corner = float("nan")
    if corners is not None:
        found = measures.corners(truth.screen, corners, posed.rounded(device))
        corner = float(np.fmax.reduce(np.hypot(*(found - corners).T)))
    figures = Figures(
        iou=measures.overlap(ours.alpha, truth.alpha),
        corner=corner,
        ssim=float(alike[inside].mean()),
        delta_e=float(measures.ciede2000(measures.lab(a[inside]), measures.lab(b[inside])).mean()),
        metal=error(metal),
        metal_ssim=float(alike[metal].mean()) if metal.sum() >= FEW else float("nan"),
        glass=error(whole(smooth(regions, device))),
        screen=error(whole(screen(regions))),
        inner=error(band(regions)),
        dash=dashes(a, b, contours(regions), clear).longest,
        ground=error(ground(regions, device)),
        shadow=shadow_error(case, truth.alpha),
    )
    caption = f"{case.name}  SSIM {figures.ssim:.4f}  dE {figures.delta_e:.2f}  metal {figures.metal:.1f}"
    return figures, contact.strip(a, b, inside, caption)


class Limit(NamedTuple):
    """A measure over all cases: column, function that combines values, limit, and limit for random cases."""

    name: str
    column: str
    fold: Callable[..., float]
    limit: float
    at_random: float
    least: bool = False


LIMITS = (
    Limit("silhouette, intersection over union, worst", "iou", np.min, 0.9975, 0.9975, least=True),
    Limit("screen corner error, px, worst", "corner", np.max, 0.064, 0.064),
    Limit("SSIM over the device, mean", "ssim", np.mean, 0.988, 0.993, least=True),
    Limit("SSIM over the device, worst", "ssim", np.min, 0.965, 0.97, least=True),
    Limit("CIEDE2000 over the device, mean", "delta_e", np.mean, 0.8, 0.5),
    Limit("CIEDE2000 over the device, worst", "delta_e", np.max, 2.0, 1.2),
    Limit("metal, absolute error of 255, mean", "metal", np.mean, 3.0, 3.0),
    Limit("metal, absolute error of 255, worst", "metal", np.max, 6.0, 6.0),
    Limit("metal, SSIM, mean", "metal_ssim", np.mean, 0.88, 0.88, least=True),
    Limit("glass alone, absolute error of 255, mean", "glass", np.mean, 3.0, 3.0),
    Limit("inner edges, absolute error of 255, mean", "inner", np.mean, 6.0, 6.0),
    Limit("inner edges, longest dash, px", "dash", np.max, 2.0, 3.0),
    Limit("ground of raised parts, absolute error of 255, mean", "ground", np.mean, 3.0, 3.0),
    Limit("shadow, absolute error of alpha, worst", "shadow", np.max, 0.01, 0.01),
)


def references(
    cases: list[Case], glare: Glare, folder: Path = REFERENCES, sheets: Path = SHEETS
) -> tuple[list[str], NDArray[np.float64]]:
    """Compare every case with its reference: the lines of the long table, and the figures (cases, measures).

    Writes contact sheets to the folder `sheets`.
    """
    lines, found = [], []
    for (device, light), group in groupby(cases, key=lambda case: (case.device, case.environment)):
        strips = []
        for case in group:
            figures, strip = compare(case, glare, folder)
            found.append(figures)
            strips.append(strip)
            cells = (f"{value:.{places}f}" for value, places in zip(figures, PLACES, strict=True))
            of = (case.device, case.finish, case.pose, case.environment, "yes" if case.held else "")
            lines.append(f"| {' | '.join((*of, *cells))} |")
            print(lines[-1], flush=True)
        contact.write(sheets / f"{device}.{light}.png", strips)
    return lines, np.array(found)


def judged(cases: list[Case], table: NDArray[np.float64], at_random: bool = False) -> list[Row]:
    """The rows to check, from the figures (cases, measures), without measures that no case has."""
    held, rows = np.array([case.held for case in cases]), []
    for name, column, fold, usual, random, least in LIMITS:
        values = table[:, Figures._fields.index(column)]
        there = np.flatnonzero(~np.isnan(values))
        if not len(there):
            continue
        some = values[there[held[there]]]
        worst = there[values[there].argmin() if least else values[there].argmax()]
        rows.append(
            Row(
                name,
                float(fold(values[there])),
                random if at_random else usual,
                least,
                note=cases[worst].name if fold is not np.mean else "",
                held=float(fold(some)) if len(some) else float("nan"),
            )
        )
    return rows


def of_scenes(words: list[str]) -> tuple[list[str], list[Row]]:
    """Compare scenes of several devices with their references: the lines of a table, and the rows.

    Writes a contact sheet.
    """
    wanted = selected(words, SCENES)
    cases = [case for case in wanted if scenes.there(case)]
    found, strips = [], []
    lines = ["", "| scene | light | SSIM | order px | shadow |", "|" + " --- |" * 5]
    for case in cases:
        figures, strip = scenes.compare(case)
        found.append(figures)
        strips.append(strip)
        lines.append(
            f"| {case.title} | {case.environment} | {figures.ssim:.4f} | {figures.order} | "
            f"{figures.shadow:.1f} |"
        )
    rows = [Row("scenes missing", len(wanted) - len(cases), 0)]
    if cases:
        contact.write(SHEETS / "scenes.png", strips)
        rows += [
            Row("scenes: SSIM over the devices, worst", min(one.ssim for one in found), 0.985, least=True),
            Row("scenes: px that show another device, worst", max(one.order for one in found), 0),
            Row("scenes: shadows on each other, of 255, worst", max(one.shadow for one in found), 6.0),
        ]
    return lines if cases else [], rows


def trace(count: int, seed: int) -> Path:
    """Trace random cases unless they have been traced already, and return their folder.

    Raises CalledProcessError where Blender cannot be installed or fails.
    """
    folder = SHEETS / f"random-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "setup" / "references.sh"], check=True)
    python = ROOT / ".venv-references" / "bin" / "python"
    drawing = ["--random", str(count), "--seed", str(seed), "--folder", str(folder)]
    subprocess.run([python, "-m", "benchmarks.references", *drawing], cwd=ROOT, check=True)
    return folder


def write_pairs(cases: list[Case], count: int, glare: Glare, references: Path) -> None:
    """Write pairs of held-out cases for a blind test."""
    random = SystemRandom()
    made = []
    for case in pairs.chosen(cases, count, random):
        truth = traced.read(case, glare, references)
        ours, _, inside = seen(posed.pose(case, glare), truth)
        theirs = pairs.rounded(traced.mixed(truth.code, truth.alpha, BACKGROUND))
        made.append((case, *pairs.cut(ours, theirs, inside)))
    folder = SHEETS / "pairs"
    key = pairs.write(folder, made, random)
    print(f"{len(made)} pairs in {folder.relative_to(ROOT)}/, the key in {key.relative_to(ROOT)}")


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
    parser.add_argument("--quick", action="store_true", help="leave out the sweep through every pose")
    parser.add_argument(
        "--pairs", action="store_true", help="only write pairs of held-out cases, to try blind"
    )
    parser.add_argument("--count", type=int, default=16, help="how many pairs")
    parser.add_argument(
        "--glare", choices=get_args(Glare), default="natural", help="of the pictures and the references"
    )
    parser.add_argument("--random", type=int, default=0, help="trace and compare this many other devices")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random")
    parser.add_argument("words", nargs="*", help="parts of the names of the references to compare")
    options = parser.parse_args()
    folder = trace(options.random, options.seed) if options.random else REFERENCES
    wanted = drawn(options.random, options.seed) if options.random else selected(options.words, CASES)
    cases = [case for case in wanted if traced.there(case, folder)]
    cases.sort(key=lambda case: (case.device, case.environment))
    if not cases and (options.random or not selected(options.words, SCENES)):
        print("no such references: make references draws them", file=sys.stderr)
        return 1
    if options.pairs:
        write_pairs(cases, options.count, options.glare, folder)
        return 0
    columns = ("device", "finish", "pose", "light", "held out", *HEAD)
    head = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    print("\n".join(head))
    lines: list[str] = []
    rows: list[Row] = []
    if cases:
        lines, table = references(cases, options.glare, folder, folder if options.random else SHEETS)
        rows = judged(cases, table, bool(options.random))
    rows.append(Row("references missing", len(wanted) - len(cases), 0))
    if not options.random and options.glare == "natural":
        told, judged_scenes = of_scenes(options.words)
        print("\n".join(told))
        lines += told
        rows += judged_scenes
    everything = not (options.words or options.random)
    if everything:
        rows += without_references(options.quick)
    short = ["| measure | found | held out | limit | |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        verdict = ("holds" if row.good else "FAILS") + (f", at {row.note}" if row.note else "")
        sign = "≥" if row.least else "≤"
        held = "" if np.isnan(row.held) else f"{row.held:.4g}"
        short.append(f"| {row.name} | {row.value:.4g} | {held} | {sign} {row.limit:g} | {verdict} |")
    print("\n" + "\n".join(short))
    today = datetime.now(UTC).date()
    if everything:
        against = f"{len(cases)} path-traced references at 960 × 540, {options.glare} glare"
        title = f"# Fidelity, {today}\n\nAgainst {against}.\n"
        reduced = "-reduced" if options.glare == "reduced" else ""
        file = ROOT / "benchmarks" / "results" / f"fidelity-{today}{reduced}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join([title, *short, "", *head, *lines, ""]))
        print(f"\nsaved {file.relative_to(ROOT)}, contact sheets in build/fidelity/")
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
