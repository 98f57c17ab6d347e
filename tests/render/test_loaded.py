"""Modules that the fork server loads: those that NumPy would load later, and none that few pictures need."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

SCRIPT = """
import json, sys
from service.workers import renderer
renderer.prepare()
before = set(sys.modules)
import numpy as np
np.unique(np.arange(3), return_index=True, return_inverse=True)
np.isin(np.arange(3), np.arange(2))
from service.settings.schema import Settings
print(json.dumps({
    "later": sorted(set(sys.modules) - before),
    "rare": sorted(before & {"asyncio", "ssl", "service.devices.families.sheet"}),
    "built": Settings.__pydantic_complete__,
}))
"""


@cache
def loaded() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_finding_unique_values_loads_no_module() -> None:
    assert loaded()["later"] == []


def test_nothing_is_loaded_that_few_pictures_need() -> None:
    assert loaded()["rare"] == []


def test_schemas_that_validate_requests_are_not_built() -> None:
    """The server validates; renderers get settings that are valid."""
    assert not loaded()["built"]
