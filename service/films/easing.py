"""Easing by cubic Bézier curves, as in CSS."""

from __future__ import annotations

from ..settings.motion import Bezier

STEPS = 60  # halvings of the parameter; exact to a float's precision


def eased(share: float, curve: Bezier) -> float:
    """The progress, 0 to 1, when a `share` of the time, 0 to 1, has passed; may overshoot."""
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    x1, y1, x2, y2 = curve
    low, high = 0.0, 1.0
    # x grows with the parameter, because both control points are within 0 to 1.
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _at(middle, x1, x2) < share:
            low = middle
        else:
            high = middle
    return _at(low, y1, y2)


def _at(parameter: float, first: float, second: float) -> float:
    """A coordinate of the curve whose control points have the coordinates 0, `first`, `second` and 1."""
    rest = 1 - parameter
    return 3 * rest * rest * parameter * first + 3 * rest * parameter**2 * second + parameter**3
