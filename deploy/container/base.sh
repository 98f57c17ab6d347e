#!/usr/bin/env bash
# Makes a base image from Debian's own archive, for machines that reach no registry of images.
# Usage: deploy/container/base.sh [NAME]   default: docker.io/library/debian:bookworm-slim
set -euo pipefail

name=${1:-docker.io/library/debian:bookworm-slim}
mirror=${MIRROR:-http://deb.debian.org/debian}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

debootstrap --variant=minbase bookworm "$root/base" "$mirror" >"$root/log" 2>&1 || { tail "$root/log" >&2; exit 1; }

# The official slim image leaves these out as well.
cat >"$root/base/etc/dpkg/dpkg.cfg.d/slim" <<'END'
path-exclude /usr/share/doc/*
path-exclude /usr/share/info/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/linda/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
END
rm -rf "$root"/base/usr/share/{doc,info,lintian,linda,locale,man}/*
rm -rf "$root"/base/var/cache/apt/* "$root"/base/var/lib/apt/lists/* "$root"/base/var/log/*
# The image must not depend on when or where it is made.
: >"$root/base/etc/machine-id"
rm -f "$root/base/etc/hostname" "$root/base/etc/resolv.conf"

container=$(buildah from scratch)
buildah copy --quiet "$container" "$root/base" / >/dev/null
buildah config --cmd bash "$container"
buildah commit --quiet --rm --timestamp 0 "$container" "$name"
