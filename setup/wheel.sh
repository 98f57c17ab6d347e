#!/usr/bin/env bash
# Builds dist/mockup-*.whl, installs it as a user would, in a virtual environment of its own, and renders with it
# in an empty folder.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf build/lib build/bdist.* mockup.egg-info dist/mockup-*.whl
.venv/bin/python setup/man_page.py build/man/mockup.1
.venv/bin/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
wheel=$(ls "$PWD"/dist/mockup-*.whl)
.venv/bin/python - "$wheel" <<'END'
import sys
import zipfile

names = {name.partition("/")[0] for name in zipfile.ZipFile(sys.argv[1]).namelist()}
own = {name for name in names if not name.endswith((".data", ".dist-info"))}
if own != {"mockup"}:
    sys.exit(f"wheel: it would install {sorted(own)}; it should install mockup alone")
END

empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
.venv/bin/python -m venv "$empty/venv"
"$empty/venv/bin/python" -m pip install --quiet --only-binary :all: "$wheel"
sample=$PWD/frames/samples/screenshot.png
cd "$empty"
"$empty/venv/bin/mockup" doctor >doctor.txt || true
"$empty/venv/bin/mockup" render "$sample" -o mockup.png --device iphone-16-pro
[ -s mockup.png ] && [ -s "$empty/venv/share/man/man1/mockup.1" ]
echo "$wheel ($(du -h "$wheel" | cut -f1)) installs, and renders in an empty folder"
