#!/usr/bin/env bash
# `make demo`: builds the command line and runs the hooks of examples/ through it.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

say "engine: $ENGINE; the first build takes some minutes"
# shellcheck disable=SC2086 # a list of words
cargo build --locked $FEATURES --bin hookrt
PATH="${CARGO_TARGET_DIR:-$PWD/target}/debug:$PATH"

# Prints what is shown and why, runs it, and fails unless it ends with the expected exit code.
show() {
    local expected=$1 code=0
    printf '\n# %s\n$' "$2"
    shift 2
    local word
    for word in "$@"; do
        case "$word" in
        *[!A-Za-z0-9_./=-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@" || code=$?
    printf '(exit %s)\n' "$code"
    [ "$code" = "$expected" ] || die "expected exit $expected"
}

call() { printf '{"toolName":"bash","toolCallId":"1","input":{"command":"%s"}}' "$1"; }

show 2 "A hook blocks a dangerous tool call: exit 2, and who did it" \
    hookrt emit tool_call --hook examples/gate.ts --data "$(call 'rm -rf /')"
show 0 "The same hook lets a harmless one through" \
    hookrt emit tool_call --hook examples/gate.ts --data "$(call 'ls')"
show 0 "With somebody to ask, it asks: the dialog is in calls" \
    hookrt emit tool_call --hook examples/gate.ts --data "$(call 'rm -rf build')" --answers '[{"confirm":true}]'
show 0 "A real command as a tool between its hooks: what the model gets to see is redacted" \
    hookrt tool bash --hook examples/redact.ts --input '{"command":"env"}' -- echo "API_KEY=sk-live-4f9a8b7c6d5e"
show 2 "A whole session against one runner: hooks keep state, one line per event" \
    hookrt replay examples/session.jsonl --hook examples/gate.ts --hook examples/counter.ts
