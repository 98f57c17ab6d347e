"""Audit what users are given: `python setup/audit.py [--advisories FILE]`, without the network.

Every installed package that is locked must have the locked version, and a licence that lets the project
distribute it. The licences' texts go into `dist/NOTICES.txt`. `--advisories` names an archive that OSV
publishes, https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip: none of its advisories may concern
a locked version.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.metadata import Distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTICES = ROOT / "dist" / "NOTICES.txt"
# The service and the extras that users install; the other extras are developers' tools.
GIVEN = ("service", "bulk", "captions", "cluster", "mcp", "parquet", "traces")
# The last two licences require the source of changed code; we change nothing.
PERMITTED = re.compile(
    r"MIT(-0|-CMU)?|0?BSD|BSD[- ][23]-Clause|[23]-Clause BSD|Apache(-2\.0| 2| 2\.0| License 2\.0| Software)?"
    r"|PSF-2\.0|Python Software Foundation|ISC( License \(ISCL\))?|Zlib|CC0-1\.0|MPL-2\.0|LGPL-3\.0-only"
)
PIN = re.compile(r"^([a-z0-9-]+)==([^\s;]+)", re.MULTILINE)
TEXTS = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)


def locked(folder: Path = ROOT / "requirements") -> dict[str, str]:
    """The version of every package that users are given."""
    return {
        name: version
        for group in GIVEN
        for name, version in PIN.findall((folder / f"{group}.txt").read_text("utf-8"))
    }


def licence(package: Distribution) -> str:
    """The licence that a package states; empty if it states none."""
    classes = (one.rpartition(" :: ")[2] for one in told(package, "Classifier") if "License ::" in one)
    texts = (one.strip().partition("\n")[0] for one in told(package, "License"))
    return next(filter(None, (*told(package, "License-Expression"), *texts, *classes)), "")


def told(package: Distribution, name: str) -> list[str]:
    """The values of a field in a package's metadata."""
    return [str(one) for one in package.metadata.get_all(name) or ()]


def permitted(named: str) -> bool:
    """Whether the project may distribute a package with this licence."""
    parts = re.split(r" AND | OR ", named)
    return all(PERMITTED.fullmatch(part.strip("() ").removesuffix(" License")) for part in parts)


def notice(package: Distribution) -> str:
    """Name, version and licence of a package, with the licence texts that it contains."""
    pages = (one.partition(", ")[2] for one in told(package, "Project-URL"))
    page = next(iter([*told(package, "Home-page"), *pages]), "")
    head = f"{package.name} {package.version}\n{licence(package)}\n{page}".strip()
    files = [one for one in package.files or [] if TEXTS.search(one.name) and ".py" not in one.suffix]
    texts = [Path(str(one.locate())).read_text("utf-8", "replace").strip() for one in files]
    return "\n\n".join((head, *texts))


def faults(versions: Mapping[str, str]) -> Iterator[str]:
    """The faults of the installed packages, one sentence each."""
    for name, version in versions.items():
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if package.version != version:
            yield f"{name} {package.version} is installed, and {version} is locked."
        if not permitted(licence(package)):
            yield f"{name} {version} has the licence {licence(package) or 'unknown'}, which is not permitted."


def affected(versions: Mapping[str, str], archive: Path) -> Iterator[str]:
    """The locked versions that an archive of advisories names, one line each; raises OSError and
    BadZipFile."""
    with zipfile.ZipFile(archive) as file:
        for entry in file.namelist():
            advisory = json.loads(file.read(entry))
            if "withdrawn" in advisory:
                continue
            for one in advisory.get("affected", ()):
                name = re.sub(r"[-_.]+", "-", one.get("package", {}).get("name", "")).lower()
                if versions.get(name) in one.get("versions", ()):
                    said = advisory.get("summary", "without a summary")
                    yield f"{name} {versions[name]}: {advisory['id']}, {said}"


def main() -> None:
    """Write the notices and report all faults; exits with 1 if there are any."""
    parser = argparse.ArgumentParser(prog="make audit", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--advisories", type=Path, metavar="FILE", help="an archive of advisories by OSV")
    given = parser.parse_args()
    versions = locked()
    here = {re.sub(r"[-_.]+", "-", one.name).lower() for one in metadata.distributions()}
    there = sorted(versions.keys() & here)
    found = list(faults(versions))
    if given.advisories:
        found += affected(versions, given.advisories)
    NOTICES.parent.mkdir(exist_ok=True)
    rule = "\n\n" + "-" * 78 + "\n\n"
    NOTICES.write_text(rule.join(notice(metadata.distribution(name)) for name in there) + "\n", "utf-8")
    print(f"{len(there)} of {len(versions)} locked packages are installed here; {NOTICES} has their licences")
    print("advisories were " + ("looked through" if given.advisories else "not looked through"))
    for line in found:
        print(f"audit: {line}", file=sys.stderr)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
