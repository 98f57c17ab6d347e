"""Prepare a release: write its version and changelog, and list the remaining steps.

`python setup/release.py 1.0.0` only says what it would change; with `--write` it changes the files. It never
commits, tags or pushes.
"""

from __future__ import annotations

import argparse
import datetime
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The files that name the version, and the pattern around it.
PLACES = {
    "pyproject.toml": 'version = "{}"',
    "clients/python/pyproject.toml": 'version = "{}"',
    "clients/javascript/package.json": '"version": "{}"',
    "compose.yaml": "image: mockup:{}",
    "compose.cluster.yaml": "image: mockup:{}",
    "deploy/kubernetes/kustomization.yaml": "newTag: {}",
    "deploy/kubernetes/bulk/kustomization.yaml": "newTag: {}",
    "docs/scaling.md": "mockup-bulk:{}",
}
# How the package index calls versions that begin with 0, and all others.
BETA, STABLE = "Development Status :: 4 - Beta", "Development Status :: 5 - Production/Stable"
STEPS = """\
1. make test && make thorough && make wheel && make reuse && make audit ARGS='--advisories all.zip'
2. make bench, make fidelity, make soak, make fuzz; commit their results
3. git commit -am 'Release {version}' && git tag v{version}
4. git push && git push --tags"""


def current(root: Path = ROOT) -> str:
    """The version that `pyproject.toml` has."""
    found = re.search(r'^version = "(.+)"$', (root / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def released(version: str, day: datetime.date, root: Path = ROOT) -> dict[Path, str]:
    """The new text of each file that changes; raises ValueError if the version or a file is not as
    expected."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"expected a version such as 1.0.0, got {version}")
    before, texts = current(root), dict[Path, str]()
    if tuple(map(int, version.split("."))) < tuple(map(int, before.split("."))):
        raise ValueError(f"{version} is older than {before}")
    for name, form in PLACES.items():
        text = (root / name).read_text("utf-8")
        if form.format(before) not in text:
            raise ValueError(f"{name} has no {form.format(before)!r}")
        texts[root / name] = text.replace(form.format(before), form.format(version))
    if not version.startswith("0."):
        project = root / "pyproject.toml"
        texts[project] = texts[project].replace(BETA, STABLE)
    log = root / "CHANGELOG.md"
    text = log.read_text("utf-8")
    head = "## [Unreleased]\n"
    if f"## [{version}]" in text or head not in text:
        raise ValueError(f"CHANGELOG.md has {version} already, or no section Unreleased")
    text = re.sub(r"\nThis will be version \S+\.\n", "", text, count=1)
    texts[log] = text.replace(head, f"{head}\n## [{version}] - {day.isoformat()}\n", 1)
    return {path: text for path, text in texts.items() if path.read_text("utf-8") != text}


def main() -> None:
    """Show what would change, and with `--write` change it; exits with 1 if a file is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("version")
    parser.add_argument("--write", action="store_true", help="change the files")
    given = parser.parse_args()
    git = shutil.which("git")
    if given.write and git and subprocess.check_output([git, "status", "--porcelain"], cwd=ROOT):
        sys.exit("release: there are uncommitted changes")
    try:
        texts = released(given.version, datetime.datetime.now(datetime.UTC).date())
    except ValueError as error:
        sys.exit(f"release: {error}")
    for path, text in texts.items():
        print(f"{'written' if given.write else 'would change'}: {path.relative_to(ROOT)}")
        if given.write:
            path.write_text(text, "utf-8")
    print("\nThen:\n" + STEPS.format(version=given.version))


if __name__ == "__main__":
    main()
