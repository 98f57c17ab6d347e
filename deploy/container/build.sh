#!/usr/bin/env bash
# Builds the image with buildah, which needs neither a daemon nor root; docker build takes the same Dockerfile.
# Usage: deploy/container/build.sh [TAG] [OPTION OF BUILDAH...]
set -euo pipefail
cd "$(dirname "$0")/../.."

tag=${1:-mockup:$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)}
shift || true
options=()
# The build uses the same package index and certificate authorities as this machine's pip.
[ -f /etc/pip.conf ] && options+=(--volume /etc/pip.conf:/etc/pip.conf:ro)
if [ -n "${PIP_CERT:-}" ]; then
    options+=(--volume "$PIP_CERT:/run/authorities.crt:ro" --build-arg PIP_CERT=/run/authorities.crt)
fi
# Without a fixed timestamp, file times and therefore the digest would differ from build to build.
exec buildah build --isolation "${BUILDAH_ISOLATION:-chroot}" --pull-never --format oci --timestamp 0 \
    --layers=false --tag "$tag" "${options[@]}" "$@" .
