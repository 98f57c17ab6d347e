#!/usr/bin/env bash
# Installs Debian packages if apt is allowed. Otherwise it lists the missing ones and fails.
# Usage: setup/apt.sh PACKAGE...
set -euo pipefail

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n)
fi
if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then
    echo "set-up: warning: using sudo, without asking for a password, to install with apt: $*" >&2
fi
if ! command -v apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
    echo "set-up: these system packages are missing and cannot be installed from here: $*" >&2
    echo "set-up: on Debian or Ubuntu, an administrator runs: apt-get install $*" >&2
    exit 1
fi

echo "set-up: installing the system packages $*"
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --quiet=2 --no-install-recommends -o Dpkg::Use-Pty=0 "$@")
# The package lists are often recent enough. They are fetched only if the installation fails without that.
if ! "${install[@]}" >/dev/null 2>&1; then
    "${as_root[@]}" apt-get update --quiet=2
    "${install[@]}" >/dev/null
fi
