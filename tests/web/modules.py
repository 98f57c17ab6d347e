"""Runs the page's modules in Node.js, for tests that need no browser. Each run takes seventy milliseconds."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from service.api.web_files import WEB
from tests.support.waiting import PATIENCE_S

# `load` imports a module of the page by its name; the value that `steps` return comes back as JSON.
_PROGRAM = """
const load = (name) => import(new URL(name, %s));
const given = %s;
const result = await (async () => { %s })();
console.log(JSON.stringify(result ?? null));
"""


def node() -> str:
    """The program; the test is skipped where it is missing."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not installed")
    return found


def run(steps: str, given: Any = None) -> Any:
    """The result of `steps`, JavaScript that can use `load` and `given`."""
    program = _PROGRAM % (json.dumps(f"{WEB.as_uri()}/"), json.dumps(given), steps)
    done = subprocess.run(
        [node(), "--input-type=module", "-"],
        input=program.encode(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)
