"""Pairs to try blind: what is written, and that nothing but the key tells which is which."""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import numpy as np

from benchmarks import pairs
from benchmarks.cases import CASES, HELD_OUT, Case
from service.arrays import U8

OURS, TRUTH = (np.full((40, 30, 3), level, np.uint8) for level in (60, 180))


def written(folder: Path, count: int) -> tuple[list[U8], list[str]]:
    made: list[tuple[Case, U8, U8]] = [(case, OURS, TRUTH) for case in HELD_OUT[:count]]
    key = pairs.write(folder / "pairs", made, Random(7))
    assert key.parent == folder
    files = sorted((folder / "pairs").glob("*.png"))
    return [np.asarray(cv2.imread(str(file)), np.uint8) for file in files], key.read_text().splitlines()


def test_the_key_says_on_which_side_the_truth_is(tmp_path: Path) -> None:
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


def test_pairs_of_an_earlier_run_are_gone(tmp_path: Path) -> None:
    written(tmp_path, 5)
    assert len(written(tmp_path, 3)[0]) == 3


def test_held_out_cases_are_chosen_once_each_in_any_order() -> None:
    held = [case for case in CASES if case.held]
    found = pairs.chosen(CASES, len(held), Random(1))
    assert set(found) == set(held)
    assert found != held
    assert len(pairs.chosen(CASES, 4, Random(1))) == 4
    open_ones = [case for case in CASES if not case.held]
    assert len(pairs.chosen(open_ones, 5, Random(1))) == 5


def test_both_are_cut_alike_with_a_margin() -> None:
    inside = np.zeros((40, 30), bool)
    inside[20:25, 14:18] = True
    ours, truth = pairs.cut(OURS, TRUTH, inside)
    assert ours.shape == truth.shape == (5 + 2 * pairs.MARGIN, 4 + 2 * pairs.MARGIN, 3)


def test_both_are_rounded_with_the_same_noise() -> None:
    ramp = np.linspace(60, 62, 300, dtype=np.float32)[None, :, None].repeat(40, axis=0).repeat(3, axis=2)
    found = pairs.rounded(ramp)
    assert set(np.unique(found)) == {60, 61, 62}
    assert abs(found.mean(axis=(0, 2)) - ramp[0, :, 0]).max() < 0.15
    assert (pairs.rounded(np.full((4, 4, 3), 242, np.float32)) == 242).all()
