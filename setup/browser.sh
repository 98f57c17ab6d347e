#!/usr/bin/env bash
# Sees to what the tests of the web pages need, a Chromium and Node.js; they are skipped, with their reason, without.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
[ ${#missing[@]} -eq 0 ] && exit 0
"$(dirname "$0")/apt.sh" "${missing[@]}" || echo "set-up: no ${missing[*]}; tests of the web pages will be skipped" >&2
