"""The bill of materials of an image, tested on a folder that is laid out like an image's files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.container import FaultError
from benchmarks.sbom import debian_packages, sbom

STATUS = """\
Package: libwebp7
Status: install ok installed
Architecture: amd64
Version: 1.2.4-0.2+deb12u1
Description: Lossy compression of digital photographic images
 It is long.

Package: gcc
Status: deinstall ok config-files
Architecture: amd64
Version: 4:12.2.0-3
Description: GNU C compiler

Package: adduser
Status: install ok installed
Architecture: all
Version: 3.134
Description: add and remove users and groups
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text('ID=debian\nVERSION_ID="12"\n')
    (tmp_path / "var" / "lib" / "dpkg").mkdir(parents=True)
    (tmp_path / "var" / "lib" / "dpkg" / "status").write_text(STATUS)
    (tmp_path / "opt" / "mockup").mkdir(parents=True)
    (tmp_path / "opt" / "mockup" / ".venv").symlink_to(Path(sys.prefix))
    return tmp_path


def test_packages_of_debian_are_those_installed(root: Path) -> None:
    first, second = debian_packages(root)
    assert first["purl"] == "pkg:deb/debian/adduser@3.134?arch=all&distro=debian-12"
    assert (second["name"], second["version"]) == ("libwebp7", "1.2.4-0.2+deb12u1")
    assert second["purl"] == "pkg:deb/debian/libwebp7@1.2.4-0.2%2Bdeb12u1?arch=amd64&distro=debian-12"
    assert second["description"] == "Lossy compression of digital photographic images"


def test_the_document_is_cyclonedx_with_both(root: Path) -> None:
    if not Path(sys.executable).with_name("cyclonedx-py").exists():
        with pytest.raises(FaultError, match=r"setup/install\.sh sbom"):
            sbom(root)
        pytest.skip("cyclonedx-bom is not installed")
    found = json.loads(sbom(root))
    assert (found["bomFormat"], found["metadata"]["component"]["name"]) == ("CycloneDX", "mockup")
    assert {"numpy", "libwebp7"} <= {package["name"] for package in found["components"]}
    assert all(package["purl"].startswith("pkg:") for package in found["components"])
    assert "file:" not in json.dumps(found["components"])
    assert sbom(root) == sbom(root)
