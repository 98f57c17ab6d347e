"""Microfacet masking by the textbook, for tests of reflection."""

from __future__ import annotations

import numpy as np

from service.arrays import F64


def slope(cosine: F64 | float, alpha: float) -> F64:
    """The tangents of the angles to the normal that have these cosines, times `alpha`."""
    square = np.square(cosine)
    return np.asarray(alpha * np.sqrt((1 - square) / np.maximum(square, 1e-9)), np.float64)


def masking(slope: F64) -> F64:
    """The function Lambda of GGX (Walter et al., 2007)."""
    return np.asarray((np.sqrt(1 + slope**2) - 1) / 2, np.float64)
