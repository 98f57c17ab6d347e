#!/usr/bin/env bash
# Sees to what the tests of the web pages and of captions need, a Chromium, Node.js and fonts; they are skipped, with their reason, without.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
# Captions are compared with the browser's in the scripts that there are fonts for.
for package in fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
"$(dirname "$0")/apt.sh" "${missing[@]}" || echo "set-up: no ${missing[*]}; tests that need them will be skipped" >&2
