#!/usr/bin/env bash
# Makes .venv-references with Blender as a Python module, which needs another version of NumPy.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=.venv-references
stamp=$venv/.installed

state() { { pwd; cat setup/references.txt setup/references.sh; } | sha256sum; }

[ "$(cat "$stamp" 2>/dev/null)" = "$(state)" ] && exit 0

if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "set-up: Blender's module needs Python 3.11, $("$python" -V) was found (PYTHON=... names another)" >&2
    exit 1
fi
echo "set-up: installing Blender's module into $venv (about 1 GB)"
$venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear $venv
$venv/bin/python -m pip install --quiet --no-deps --requirement setup/references.txt
# Blender is linked against the libraries of a window system, even though it opens no window.
loads() { $venv/bin/python -c 'import bpy' >/dev/null; }
loads 2>/dev/null || setup/apt.sh libegl1 libgl1 libgomp1 libsm6 libxfixes3 libxi6 libxkbcommon0 libxrender1 libxxf86vm1
loads
state >"$stamp"
