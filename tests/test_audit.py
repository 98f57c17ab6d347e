"""The distributed packages are the locked ones, and their licences permit distribution."""

from __future__ import annotations

import json
import runpy
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

AUDIT: Any = runpy.run_path(str(Path(__file__).resolve().parent.parent / "setup" / "audit.py"))


def test_installed_packages_are_locked_and_permitted() -> None:
    versions = AUDIT["locked"]()
    assert {"starlette", "uharfbuzz", "mcp"} <= versions.keys()
    assert not versions.keys() & {"pytest", "skia-python"}
    assert list(AUDIT["faults"](versions)) == []
    (fault,) = AUDIT["faults"]({"starlette": "0.0.1"})
    assert "and 0.0.1 is locked" in fault


@pytest.mark.parametrize(
    ("named", "permitted"),
    [
        ("MIT", True),
        ("Apache-2.0 AND MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("BSD 3-Clause License", True),
        ("Apache 2", True),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-or-later", False),
        ("Proprietary", False),
        ("", False),
    ],
)
def test_licences(named: str, permitted: bool) -> None:
    assert AUDIT["permitted"](named) == permitted


def test_the_notices_have_the_texts() -> None:
    text = AUDIT["notice"](metadata.distribution("starlette"))
    assert text.startswith("starlette ")
    assert "Redistributions of source code must retain" in text


def test_advisories_about_locked_versions_are_reported(tmp_path: Path) -> None:
    def advisory(name: str, *versions: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "affected": [{"package": {"name": "Foo_Bar"}, "versions": versions}], **more}

    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for one in (
            advisory("PYSEC-1", "1.0", "1.1", summary="reads too far"),
            advisory("PYSEC-2", "0.9"),
            advisory("PYSEC-3", "1.1", withdrawn="2026-01-01T00:00:00Z"),
        ):
            archive.writestr(f"{one['id']}.json", json.dumps(one))
    found = list(AUDIT["affected"]({"foo-bar": "1.1"}, tmp_path / "all.zip"))
    assert found == ["foo-bar 1.1: PYSEC-1, reads too far"]
