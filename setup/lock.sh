#!/usr/bin/env bash
# Writes requirements/*.txt anew: what pyproject.toml asks for and all that it brings along, each version with the
# hashes of every file that the package index has of it, for all Pythons and machines alike.
# Usage: setup/lock.sh [--upgrade]   without it, versions stay as they are where pyproject.toml allows that
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-lock
[ -x $venv/bin/python ] || "${PYTHON:-python3}" -m venv $venv
$venv/bin/python -m pip install --quiet --require-hashes --requirement requirements/lock.txt
exec $venv/bin/python setup/lock.py "$@"
