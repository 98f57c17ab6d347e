#!/usr/bin/env bash
# Makes .venv with everything pinned in constraints.txt; returns at once when nothing changed.
# Usage: setup/install.sh [GROUP...]   with groups of optional dependencies from pyproject.toml
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=.venv
groups=$(IFS=,; echo "$*")
stamp=$venv/.installed-${groups:-service}

# What the set-up depends on, the place included: a virtual environment cannot be moved.
state() {
    { pwd; echo "$python"; cat pyproject.toml constraints.txt setup/install.sh setup/check.py; } | sha256sum
}

fresh() { [ -x $venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(state)" ]; }

fresh && exit 0

# One set-up at a time, where flock is there to see to it.
if [ -z "${MOCKUP_SETUP_LOCKED:-}" ] && command -v flock >/dev/null; then
    MOCKUP_SETUP_LOCKED=1 exec flock .setup.lock "$0" "$@"
fi
fresh && exit 0

if ! command -v "$python" >/dev/null; then
    echo "set-up: $python is not installed; Python 3.11 or newer is needed (PYTHON=... names another)" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "set-up: Python 3.11 or newer is needed, $("$python" -V) was found (PYTHON=... names another)" >&2
    exit 1
fi

# The pins hold for what is installed and, in either spelling, for what it is built with.
export PIP_CONSTRAINT="${PIP_CONSTRAINT:+$PIP_CONSTRAINT }constraints.txt"
export PIP_BUILD_CONSTRAINT="${PIP_BUILD_CONSTRAINT:+$PIP_BUILD_CONSTRAINT }constraints.txt"

# A virtual environment of another Python is of no use.
release='import sys; print(sys.version_info[:2])'
[ "$($venv/bin/python -c "$release" 2>/dev/null)" = "$("$python" -c "$release")" ] || rm -rf $venv

if ! $venv/bin/python setup/check.py 2>/dev/null; then
    PYTHON=$python setup/system.sh
    # Nor is one that was half made.
    $venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear $venv
    echo "set-up: building pillow-simd (about half a minute)"
    imaging=$(grep '^pillow-simd==' constraints.txt)
    # A feature that is enabled and cannot be built is an error. The formats nobody needs stay out.
    features=(--config-settings jpeg=enable --config-settings zlib=enable
        --config-settings webp=enable --config-settings lcms=enable
        --config-settings freetype=disable --config-settings raqm=disable
        --config-settings tiff=disable --config-settings jpeg2000=disable
        --config-settings avif=disable --config-settings imagequant=disable
        --config-settings xcb=disable)
    # Without the cache: a wheel kept from a build with other features would be taken for this one.
    $venv/bin/python -m pip install --quiet --no-cache-dir --no-deps --force-reinstall \
        "${features[@]}" "$imaging"
fi

echo "set-up: installing the dependencies${groups:+ and the groups $groups}"
$venv/bin/python -m pip install --quiet --editable ".${groups:+[$groups]}"
$venv/bin/python setup/check.py
# The groups come on top of the service's own dependencies.
state | tee "$stamp" >$venv/.installed-service
