"""The different values in an array."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", bound=np.generic)


def distinct(values: NDArray[Kind]) -> NDArray[Kind]:
    """The different values in ascending order, (n,), same dtype; none may be NaN.

    `np.unique` does the same, but loads masked arrays for it, which every renderer would spend its first
    picture's first 20 ms on.
    """
    ordered = np.sort(values, axis=None)
    new: NDArray[Any] = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    found: NDArray[Kind] = ordered[new]
    return found
