"""`make sbom`: the image's contents as CycloneDX: Python packages, with licences, and Debian packages.

Needs root, buildah and a built image.
"""

from __future__ import annotations

import argparse
import json
import sys
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.container import ROOT, FaultError, mounted, run

FORMAT = "1.6"
OUT = ROOT / "dist" / "sbom.json"


def python_packages(root: Path) -> dict[str, Any]:
    """A document with the packages of the virtual environment, and the service as its subject."""
    tool = Path(sys.executable).with_name("cyclonedx-py")
    if not tool.exists():
        raise FaultError("cyclonedx-bom is not installed; run: setup/install.sh sbom")
    options = ["--pyproject", str(ROOT / "pyproject.toml"), "--sv", FORMAT, "--output-reproducible"]
    environment = str(root / "opt" / "mockup" / ".venv")
    found: dict[str, Any] = json.loads(run(str(tool), "environment", *options, "-o", "-", environment))
    for package in found["components"]:
        # Packages built from source have the path of a build folder.
        links = package.get("externalReferences", [])
        package["externalReferences"] = [link for link in links if not link["url"].startswith("file:")]
        package.setdefault("purl", f"pkg:pypi/{package['name']}@{package['version']}")
    return found


def debian_packages(root: Path) -> list[dict[str, Any]]:
    """The packages that dpkg says are installed, sorted by name."""
    release = dict(
        line.split("=", 1) for line in (root / "etc" / "os-release").read_text("utf-8").splitlines() if line
    )
    distribution = f"debian-{release['VERSION_ID'].strip(chr(34))}"
    status = (root / "var" / "lib" / "dpkg" / "status").read_text("utf-8")
    made = []
    for block in status.strip().split("\n\n"):
        fields = HeaderParser().parsestr(block)
        if fields["Status"] != "install ok installed":
            continue
        name, version, machine = fields["Package"], fields["Version"], fields["Architecture"]
        where = f"arch={machine}&distro={distribution}"
        purl = f"pkg:deb/debian/{quote(name, safe='.-')}@{quote(version, safe='.-~')}?{where}"
        made.append(
            {
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": version,
                "description": fields["Description"].partition("\n")[0],
                "purl": purl,
            }
        )
    return sorted(made, key=lambda one: str(one["name"]))


def sbom(root: Path) -> str:
    """The document of an image's files; raises FaultError if it is not valid CycloneDX."""
    found = python_packages(root)
    # This package belongs to the extra group "sbom", which the tests do not install.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    found["components"] += debian_packages(root)
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    fault = JsonStrictValidator(SchemaVersion.from_version(FORMAT)).validate_str(text)
    if fault is not None:
        raise FaultError(f"not CycloneDX {FORMAT}: {fault}")
    return text


def main() -> None:
    """Write the document of an image."""
    parser = argparse.ArgumentParser(prog="make sbom", description=__doc__)
    parser.add_argument("--image", default="mockup:check-0", help="as `make container` builds it by default")
    parser.add_argument("--output", type=Path, default=OUT, help=f"default: {OUT.relative_to(ROOT)}")
    options = parser.parse_args()
    try:
        with mounted(options.image) as image:
            text = sbom(image.root)
    except FaultError as error:
        sys.exit(str(error))
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(text, "utf-8")
    print(f"{options.output}: {len(json.loads(text)['components'])} packages")


if __name__ == "__main__":
    main()
