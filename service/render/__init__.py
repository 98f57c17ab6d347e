"""Pixels only: a device posed, lit and painted on a plate, a screenshot composed with it, and effects.

`tests/test_rooms.py` lists the rooms in order. The modules here are shared by several of them.
"""

# `np.unique` and `np.isin` load it when first called: once for all renderers here, in the fork server, rather
# than during the first picture of each.
import numpy.ma  # noqa: F401
