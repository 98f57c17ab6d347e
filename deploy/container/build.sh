#!/usr/bin/env bash
# Builds the image with buildah, which needs neither a daemon nor root; docker build takes the same Dockerfile.
# Usage: deploy/container/build.sh [TAG] [OPTION OF BUILDAH...]
set -euo pipefail
cd "$(dirname "$0")/../.."

tag=${1:-mockup:$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)}
shift || true
options=()
# The index and the authorities that this machine's own pip uses hold in the build as well.
[ -f /etc/pip.conf ] && options+=(--volume /etc/pip.conf:/etc/pip.conf:ro)
if [ -n "${PIP_CERT:-}" ]; then
    options+=(--volume "$PIP_CERT:/run/authorities.crt:ro" --build-arg PIP_CERT=/run/authorities.crt)
fi
# Times of files would differ from one build to the next, and the digest with them.
exec buildah build --isolation "${BUILDAH_ISOLATION:-chroot}" --pull-never --format oci --timestamp 0 \
    --layers=false --tag "$tag" "${options[@]}" "$@" .
