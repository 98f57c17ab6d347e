#!/usr/bin/env bash
# Installs what the tests of the web pages, captions and completions need: Chromium, Node.js, fonts and
# shells. Without these, the tests are skipped with a reason.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
for shell in zsh fish; do command -v "$shell" >/dev/null || missing+=("$shell"); done
# Tests compare captions with the browser's, in each script that has a font here.
for package in fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    "$(dirname "$0")/apt.sh" "${missing[@]}" || echo "set-up: no ${missing[*]}; tests that need them will be skipped" >&2
fi
# Chromium without windows takes less time. Systems that lack it test with Chromium itself.
shell=chromium-headless-shell
if ! command -v "$shell" >/dev/null && apt-cache show "$shell" >/dev/null 2>&1; then
    "$(dirname "$0")/apt.sh" "$shell" || true
fi
