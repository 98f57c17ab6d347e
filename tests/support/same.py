"""Compares two picture files, and describes how they differ."""

from __future__ import annotations

import cv2
import numpy as np

SHOWN = 8


def same(first: bytes, second: bytes) -> bool:
    """True if the files are equal; otherwise raises AssertionError, which says where their pixels differ."""
    difference = differing(first, second)
    assert not difference, difference
    return True


def differing(first: bytes, second: bytes) -> str:
    """How two files differ: not at all, only in their bytes, in their sizes, or in some of their values."""
    if first == second:
        return ""
    one, two = (cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) for data in (first, second))
    if one is None or two is None:
        return "one of them is no picture"
    if one.shape != two.shape:
        return f"{one.shape} and {two.shape}"
    places = np.argwhere(one != two)
    if not len(places):
        return f"the same pixels in {len(first)} and {len(second)} bytes"
    values = [f"{one[*place]} and {two[*place]} at {tuple(map(int, place))}" for place in places[:SHOWN]]
    return f"{len(places)} values differ: {', '.join(values)}"
