#!/usr/bin/env bash
# Sees to a Chromium for the tests of the web pages; they are skipped, with their reason, where there is none.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
    command -v $name >/dev/null && exit 0
done
"$(dirname "$0")/apt.sh" chromium || echo "set-up: no Chromium; the tests of the web pages will be skipped" >&2
