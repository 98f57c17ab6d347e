"""Pixels only: a device posed, lit and painted on a plate, a screenshot composed with it, and effects.

`tests/test_rooms.py` lists the packages in order. The modules here are shared by several of them.
"""

# `np.unique` and `np.isin` load `numpy.ma` when first called. Load it here, once in the fork server, instead
# of during the first picture of each renderer.
import numpy.ma  # noqa: F401
