#!/usr/bin/env bash
# Sees to what the tests of the web pages, captions and completions need: a Chromium, Node.js, fonts and shells. Without
# them, they are skipped with their reason.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
for shell in zsh fish; do command -v "$shell" >/dev/null || missing+=("$shell"); done
# Captions are compared with the browser's in the scripts that there are fonts for.
for package in fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
"$(dirname "$0")/apt.sh" "${missing[@]}" || echo "set-up: no ${missing[*]}; tests that need them will be skipped" >&2
