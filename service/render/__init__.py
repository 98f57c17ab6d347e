"""Rendering: a device is posed, lit and painted on a plate, then a screenshot is composed with it, then
effects are applied.

`tests/test_rooms.py` lists the packages in order. The modules in this folder are each used by several
packages.
"""

# `np.unique` and `np.isin` load `numpy.ma` when first called. Load it here, once in the fork server, instead
# of during the first picture of each renderer.
import numpy.ma  # noqa: F401
