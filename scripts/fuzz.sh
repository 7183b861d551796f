#!/usr/bin/env bash
# `make fuzz`: every fuzz target for HOOKRT_FUZZ_SECONDS seconds (60) with new input. The seed of a failure is added to tests/corpus/: commit it.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

export HOOKRT_FUZZ_SECONDS="${HOOKRT_FUZZ_SECONDS:-60}"
# shellcheck disable=SC2086 # a list of words
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked $FEATURES --no-fail-fast -E 'test(/^fuzz::/)'
else
    cargo test --locked $FEATURES --test it -- fuzz::
fi
