"""Pairs of pictures for a blind test: which files are written; only the key tells the reference apart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import numpy as np

from benchmarks import pairs
from benchmarks.cases import HELD_OUT, Case
from service.arrays import U8

OURS, TRUTH = (np.full((40, 30, 3), level, np.uint8) for level in (60, 180))


def written(folder: Path, count: int) -> tuple[list[U8], list[str]]:
    made: list[tuple[Case, U8, U8]] = [(case, OURS, TRUTH) for case in HELD_OUT[:count]]
    key = pairs.write(folder / "pairs", made, Random(7))
    assert key.parent == folder
    files = sorted((folder / "pairs").glob("*.png"))
    return [np.asarray(cv2.imread(str(file)), np.uint8) for file in files], key.read_text().splitlines()


def test_the_key_tells_the_side_of_the_reference(tmp_path: Path) -> None:
    pictures, lines = written(tmp_path, 12)
    assert len(pictures) == len(lines) == 12
    sides = set()
    for number, (picture, line) in enumerate(zip(pictures, lines, strict=True), 1):
        assert line.startswith(f"{number:02d}: path-traced on the ")
        right = "on the right" in line
        assert picture.shape == (80, 2 * 60 + pairs.GAP, 3)
        assert picture[40, -5, 0] == (180 if right else 60)
        assert picture[40, 5, 0] == (60 if right else 180)
        sides.add(right)
    assert sides == {True, False}
