"""Modules that NumPy loads lazily are loaded in the fork server."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from service.workers import renderer
renderer.prepare()
before = set(sys.modules)
import numpy as np
np.unique(np.arange(3), return_index=True, return_inverse=True)
np.isin(np.arange(3), np.arange(2))
print(sorted(set(sys.modules) - before))
"""


def test_finding_unique_values_loads_no_module() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
