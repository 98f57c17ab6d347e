#!/usr/bin/env bash
# Makes .venv with exactly the files whose hashes are in requirements/; returns at once if nothing has
# changed.
# Usage: setup/install.sh [GROUP...]   with groups of optional dependencies from pyproject.toml
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=.venv
groups=$(IFS=,; echo "$*")
stamp=$venv/.installed-${groups:-service}
kernels=service/render/kernels
filters=service/codec/formats/png/unfilter

# Everything that the set-up depends on. This includes the folder, because a virtual environment cannot be
# moved.
state() {
    { pwd; echo "$python"; cat pyproject.toml requirements/*.txt setup.py setup/install.sh setup/check.py "$kernels"/*.py "$filters.py" "${filters%/*}/paeth.pxd"; } | sha256sum
}

# Everything that the compiled code depends on. Groups of packages make no difference to it.
sources() {
    { pwd; "$python" -VV; cat pyproject.toml setup.py requirements/build.txt "$kernels"/*.py "$filters.py" "${filters%/*}/paeth.pxd"; } | sha256sum
}

fresh() { [ -x $venv/bin/python ] && compgen -G "$kernels/_library*.so" >/dev/null && compgen -G "$filters.*.so" >/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$(state)" ]; }

fresh && exit 0

# If flock is installed, only one set-up runs at a time.
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

# Only pinned files are installed, and only pinned tools build them.
pip_install() {
    $venv/bin/python -m pip install --quiet --no-build-isolation "$@"
}
locked() {
    local files=() name
    for name in "$@"; do files+=(--requirement "requirements/$name.txt"); done
    pip_install --require-hashes --only-binary :all: "${files[@]}"
}

# A virtual environment of another Python cannot be used.
release='import sys; print(sys.version_info[:2])'
[ "$($venv/bin/python -c "$release" 2>/dev/null)" = "$("$python" -c "$release")" ] || rm -rf $venv

if ! $venv/bin/python setup/check.py 2>/dev/null; then
    PYTHON=$python setup/system.sh
    # Create it again if an earlier set-up was interrupted.
    $venv/bin/python -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear $venv
    locked build
    echo "set-up: building pillow-simd (about half a minute)"
    # The set-up fails if an enabled feature cannot be built. Formats that the service does not need are
    # disabled.
    features=(--config-settings jpeg=enable --config-settings zlib=enable
        --config-settings webp=enable --config-settings lcms=enable
        --config-settings freetype=disable --config-settings raqm=disable
        --config-settings tiff=disable --config-settings jpeg2000=disable
        --config-settings avif=disable --config-settings imagequant=disable
        --config-settings xcb=disable)
    # Download the source, verified by its hash, and then build it: pip takes no build settings for packages
    # in a requirements file.
    source=$(mktemp -d)
    trap 'rm -rf "$source"' EXIT
    sed -n '/^pillow-simd==/,/[^\\]$/p' requirements/service.txt >"$source/pillow-simd.txt"
    $venv/bin/python -m pip download --quiet --no-build-isolation --no-deps --no-binary pillow-simd \
        --require-hashes --requirement "$source/pillow-simd.txt" --dest "$source"
    # Without the cache, in which pip could find a wheel that was built with other features.
    pip_install --no-cache-dir --no-deps --force-reinstall "${features[@]}" "$source"/pillow_simd-*
fi

echo "set-up: installing the dependencies${groups:+ and the groups $groups}"
locked build service "$@"
loads() { $venv/bin/python -c 'import service.codec.formats.png.unfilter, service.render.kernels'; }
if [ "$(cat $venv/.compiled 2>/dev/null)" != "$(sources)" ] || ! loads 2>/dev/null; then
    echo "set-up: building the kernels (a minute or two)"
    # Python would mistake metadata that an earlier set-up left here for the installed package's.
    rm -rf mockup.egg-info
    pip_install --no-deps --editable .
    loads
    sources >$venv/.compiled
fi
$venv/bin/python setup/check.py
# Each group includes the service's own dependencies.
state | tee "$stamp" >$venv/.installed-service
