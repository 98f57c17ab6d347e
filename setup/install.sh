#!/usr/bin/env bash
# Makes .venv with exactly the files whose hashes are in requirements/; returns at once when nothing changed.
# Usage: setup/install.sh [GROUP...]   with groups of optional dependencies from pyproject.toml
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=.venv
groups=$(IFS=,; echo "$*")
stamp=$venv/.installed-${groups:-service}
kernels=service/render/kernels
filters=service/codec/formats/png/unfilter

# What the set-up depends on, the place included: a virtual environment cannot be moved.
state() {
    { pwd; echo "$python"; cat pyproject.toml requirements/*.txt setup.py setup/install.sh setup/check.py "$kernels"/*.py "$filters.py"; } | sha256sum
}

# What the compiled code depends on: groups of packages come on top of it.
sources() {
    { pwd; "$python" -VV; cat pyproject.toml setup.py requirements/build.txt "$kernels"/*.py "$filters.py"; } | sha256sum
}

fresh() { [ -x $venv/bin/python ] && compgen -G "$kernels/_library*.so" >/dev/null && compgen -G "$filters.*.so" >/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$(state)" ]; }

fresh && exit 0

# One set-up at a time, where flock is there to see to it.
if [ -z "${MOCKUP_SETUP_LOCKED:-}" ] && command -v flock >/dev/null; then
    MOCKUP_SETUP_LOCKED=1 exec flock .setup.lock setup/install.sh "$@"
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

# Nothing is installed whose file is not the one that was pinned, nor built by what has not been.
pip_install() {
    $venv/bin/python -m pip install --quiet --no-build-isolation "$@"
}
locked() {
    local files=() name
    for name in "$@"; do files+=(--requirement "requirements/$name.txt"); done
    pip_install --require-hashes --only-binary :all: "${files[@]}"
}

# A virtual environment of another Python is of no use.
release='import sys; print(sys.version_info[:2])'
[ "$($venv/bin/python -c "$release" 2>/dev/null)" = "$("$python" -c "$release")" ] || rm -rf $venv

if ! $venv/bin/python setup/check.py 2>/dev/null; then
    PYTHON=$python setup/system.sh
    # Nor is one that was half made.
    $venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear $venv
    locked build
    echo "set-up: building pillow-simd (about half a minute)"
    # A feature that is enabled and cannot be built is an error. The formats nobody needs stay out.
    features=(--config-settings jpeg=enable --config-settings zlib=enable
        --config-settings webp=enable --config-settings lcms=enable
        --config-settings freetype=disable --config-settings raqm=disable
        --config-settings tiff=disable --config-settings jpeg2000=disable
        --config-settings avif=disable --config-settings imagequant=disable
        --config-settings xcb=disable)
    # Fetched by its hash, then built: pip takes no settings for what stands in a file of requirements.
    source=$(mktemp -d)
    trap 'rm -rf "$source"' EXIT
    sed -n '/^pillow-simd==/,/[^\\]$/p' requirements/service.txt >"$source/pillow-simd.txt"
    $venv/bin/python -m pip download --quiet --no-build-isolation --no-deps --no-binary pillow-simd \
        --require-hashes --requirement "$source/pillow-simd.txt" --dest "$source"
    # Without the cache: a wheel kept from a build with other features would be taken for this one.
    pip_install --no-cache-dir --no-deps --force-reinstall "${features[@]}" "$source"/pillow_simd-*
fi

echo "set-up: installing the dependencies${groups:+ and the groups $groups}"
locked build service "$@"
loads() { $venv/bin/python -c 'import service.codec.formats.png.unfilter, service.render.kernels'; }
if [ "$(cat $venv/.compiled 2>/dev/null)" != "$(sources)" ] || ! loads 2>/dev/null; then
    echo "set-up: building the kernels (a minute or two)"
    # Metadata that an earlier set-up left beside the code would be taken for what is installed.
    rm -rf mockup.egg-info
    pip_install --no-deps --editable .
    loads
    sources >$venv/.compiled
fi
$venv/bin/python setup/check.py
# The groups come on top of the service's own dependencies.
state | tee "$stamp" >$venv/.installed-service
