#!/usr/bin/env bash
# Writes requirements/*.txt again: the packages that pyproject.toml asks for, and all their dependencies. Each
# version has the hashes of all its files in the package index, so the lock holds for every Python and
# machine.
# Usage: setup/lock.sh [--upgrade]   without it, versions stay as they are where pyproject.toml allows that
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-lock
[ -x $venv/bin/python ] || "${PYTHON:-python3}" -m venv $venv
$venv/bin/python -m pip install --quiet --require-hashes --requirement requirements/lock.txt
exec $venv/bin/python setup/lock.py "$@"
