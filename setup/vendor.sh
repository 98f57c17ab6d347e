#!/usr/bin/env bash
# Writes service/web/vendor again: the libraries of the pages, as published except for the names by which they
# import each other.
set -euo pipefail
cd "$(dirname "$0")/.."

to=$PWD/service/web/vendor
from=$(mktemp -d)
trap 'rm -rf "$from"' EXIT

take() { # PACKAGE@VERSION FILE NAME
    (cd "$from" && rm -rf package && tar xzf "$(npm pack --silent "$1")")
    sed -e 's|from"preact"|from"./preact.js"|g' \
        -e 's|from"preact/hooks"|from"./hooks.js"|g' \
        -e 's|from"@preact/signals-core"|from"./signals-core.js"|g' \
        -e 's|//# sourceMappingURL=.*||' "$from/package/$2" >"$to/$3.js"
    cp "$from/package/LICENSE" "$to/$3.LICENSE"
}

take preact@11.2.0 dist/preact.mjs preact
take preact@11.2.0 hooks/dist/hooks.mjs hooks
take @preact/signals-core@1.14.5 dist/signals-core.mjs signals-core
take @preact/signals@2.11.4 dist/signals.mjs signals
take htm@3.1.1 dist/htm.mjs htm
rm "$to/hooks.LICENSE"

# The viewer of the reference page, compressed: four megabytes, which only visitors of that page load. The
# viewer tests whether it may use `eval`, which browsers would report as a violation of the page's policy, so
# this test is removed.
scalar=1.72.1
(cd "$from" && rm -rf package && tar xzf "$(npm pack --silent "@scalar/api-reference@$scalar")")
sed -e 's/try{return Function(``),!0}catch{return!1}/return!1/' -e 's|//# sourceMappingURL=.*||' \
    "$from/package/dist/browser/standalone.js" | gzip -9n >"$to/scalar.js.gz"
cp "$from/package/LICENSE" "$to/scalar.LICENSE"
