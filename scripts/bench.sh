#!/usr/bin/env bash
# The benchmarks behind `make bench`: what is compared with comes from npm into target/peers, at fixed versions; what npm cannot bring is skipped.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

peers="${CARGO_TARGET_DIR:-target}/peers"
if ! cmp -s benches/peers/package.json "$peers/package.json" || [ ! -d "$peers/node_modules" ]; then
    if command -v npm >/dev/null; then
        mkdir -p "$peers"
        cp benches/peers/package.json "$peers/package.json"
        say "installing what is compared with into $peers"
        if ! (cd "$peers" && npm install --no-package-lock --no-audit --no-fund --silent </dev/null); then
            rm -f "$peers/package.json"
            say "npm could not install everything; what is missing is skipped"
        fi
    else
        say "npm is missing: measured without Bun, Deno and Node"
    fi
fi
# The command first: the benchmarks run it.
# shellcheck disable=SC2086 # lists of words
cargo bench --locked $FEATURES --bench bench -- "$@"
