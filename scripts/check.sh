#!/usr/bin/env bash
# `make check`: formatting, then clippy over the library, the binary, tests and benches.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

cargo fmt --check
# shellcheck disable=SC2086 # a list of words
cargo clippy --locked --all-targets $FEATURES -- -D warnings
