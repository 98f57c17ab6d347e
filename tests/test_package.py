"""The package itself: the variables that it sets when it is loaded, and its version."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

import pytest

from service.version import version

SET = {
    "OPENCV_THREAD_POOL_ACTIVE_WAIT_WORKER": "0",
    "OPENCV_THREAD_POOL_ACTIVE_WAIT_MAIN": "0",
    "PYDANTIC_DISABLE_PLUGINS": "true",
}


def found(**given: str) -> dict[str, str]:
    """These variables after the package was loaded into an environment with the `given` ones."""
    script = (
        f"import json, os, service; print(json.dumps({{one: os.environ.get(one) for one in {list(SET)}}}))"
    )
    environment = {name: value for name, value in os.environ.items() if name not in SET} | given
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], env=environment, capture_output=True, check=True
    )
    return dict(json.loads(done.stdout))


def test_libraries_neither_spin_nor_look_for_plugins() -> None:
    assert found() == SET
    given = {"OPENCV_THREAD_POOL_ACTIVE_WAIT_MAIN": "100"}
    assert found(**given) == SET | given


@pytest.fixture
def fresh() -> Iterator[None]:
    version.cache_clear()
    yield
    version.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", {"mockup": "1.2.3"}.__getitem__)
    assert version() == "1.2.3"


@pytest.mark.usefixtures("fresh")
def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert version() == "unknown"
