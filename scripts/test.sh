#!/usr/bin/env bash
# `make test`: everything that can fail, on the chosen engine. Runs all parts and fails if any did.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

say "engine: $ENGINE"
failed=""
part() {
    local name=$1
    shift
    say "$name: $*"
    "$@" || failed="$failed, $name"
}

# shellcheck disable=SC2086 # a list of words
if cargo nextest --version >/dev/null 2>&1; then
    part "Rust tests" cargo nextest run --locked $FEATURES --no-fail-fast
    part "documentation" cargo test --locked $FEATURES --doc
else
    part "Rust tests" cargo test --locked $FEATURES --no-fail-fast
fi

node_major() { node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }

if [ "$(node_major)" -ge 20 ]; then
    part "JavaScript" node --test js/40_theme/test/*.test.mjs js/60_host_packages/test/*.test.mjs js/70_bun/test/*.test.mjs
else
    say "skipped: unit tests of js/ and the TypeScript client, which need Node 20 or later"
fi

client() {
    (cd js/client && npm test --silent)
}

if [ "$(node_major)" -ge 20 ] && command -v npm >/dev/null; then
    if (cd js/client && npm install --no-package-lock --no-audit --no-fund --silent </dev/null); then
        # The build just tested, not an older release build that the client would find first.
        binary="$(cd "${CARGO_TARGET_DIR:-target}/debug" && pwd)/hookrt"
        if [ -z "${HOOKRT_BIN:-}" ] && "$binary" serve --help >/dev/null 2>&1; then export HOOKRT_BIN="$binary"; fi
        part "TypeScript client" client
    else
        say "skipped: the TypeScript client, npm could not install its development tools"
    fi
elif [ "$(node_major)" -ge 20 ]; then
    say "skipped: the TypeScript client, npm is missing"
fi

[ -z "$failed" ] || die "failed on $ENGINE: ${failed#, }"
say "all passed on $ENGINE"
