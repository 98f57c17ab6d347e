"""The different values in an array: which, where, which of them each is, and those of another array.

`np.unique` and `np.isin` find them, but load masked arrays for that, which every renderer would spend its
first picture's first 20 ms on.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", bound=np.generic)


def unique(values: NDArray[Kind]) -> NDArray[Kind]:
    """The different values in ascending order, (n,), same dtype; none may be NaN."""
    ordered = np.sort(values, axis=None)
    found: NDArray[Kind] = ordered[_new(ordered)]
    return found


def inverse(values: NDArray[Kind]) -> tuple[NDArray[Kind], NDArray[np.intp]]:
    """The different values as `distinct` finds them, and the number among them of each value (m,)."""
    found = unique(values)
    return found, np.searchsorted(found, values)


def index(values: NDArray[Any]) -> NDArray[np.intp]:
    """Where in `values` (m,) each of the different values stands first, in ascending order of the values."""
    order = np.argsort(values, kind="stable")
    found: NDArray[np.intp] = order[_new(values[order])]
    return found


def isin(values: NDArray[Any], some: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of `values` (m,) are among `some` (n,), of which there is at least one."""
    ordered = np.sort(some)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[places] == values)


def _new(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of some ordered values differ from the one before."""
    new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return new
