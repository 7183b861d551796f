#!/usr/bin/env bash
# `make bench`: the release build's benchmarks; ARGS goes to the harness.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

say "engine: $ENGINE"
if [ -f scripts/bench.sh ]; then
    export FEATURES
    exec bash scripts/bench.sh ${ARGS:-}
fi
[ -d benches ] || die "this checkout has no benchmarks"
# shellcheck disable=SC2086 # lists of words
exec cargo bench --locked $FEATURES -- ${ARGS:-}
