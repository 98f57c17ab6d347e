#!/usr/bin/env bash
# Installs the compiler and headers that pillow-simd and the kernels are built with if apt is allowed.
# Otherwise it names the missing packages.
set -euo pipefail

python=${PYTHON:-python3}
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
missing=()

# Whether the preprocessor finds a header.
header() { echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1; }

"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=("python$version-venv")
command -v cc >/dev/null || missing+=(gcc)
header stdlib.h || missing+=(libc6-dev)
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -e "$include/Python.h" ] || missing+=("python$version-dev")
header jpeglib.h || missing+=(libjpeg-dev)
header zlib.h || missing+=(zlib1g-dev)
header webp/mux.h || missing+=(libwebp-dev)
header lcms2.h || missing+=(liblcms2-dev)

[ ${#missing[@]} -eq 0 ] && exit 0
exec "$(dirname "$0")/apt.sh" "${missing[@]}"
