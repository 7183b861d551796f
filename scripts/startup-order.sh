#!/usr/bin/env bash
# Writes build/startup-order.txt, the functions of V8 that a start runs: the linker of a release lays them side by side, so that a start makes
# two megabytes of V8's code resident and not nine. To be run after an update of the crate `v8`; needs valgrind and a V8 build in target/debug.

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

[ "$ENGINE" = v8 ] || die "the order is one of V8's functions"
command -v valgrind >/dev/null || die "valgrind is missing (apt-get install valgrind)"
target="${CARGO_TARGET_DIR:-target}"
# shellcheck disable=SC2086 # a list of words
cargo build --locked $FEATURES
hookrt="$(cd "$target/debug" && pwd)/hookrt"
library=$(find "$target/debug/gn_out" "$target/debug/build" -name 'librusty_v8*.a' 2>/dev/null | head -n 1)
[ -n "$library" ] || die "there is no librusty_v8.a below $target/debug"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/hook.ts" <<'HOOK'
export default (pi: any) => {
  pi.on("tool_call", (event: any) => (/rm/.test(event.input.command) ? { block: true, reason: "no" } : undefined));
};
HOOK
data='{"toolName":"bash","toolCallId":"t","input":{"command":"ls"}}'
profile() {
    valgrind --quiet --tool=callgrind --demangle=no --smc-check=all-non-file --callgrind-out-file="$work/$1.out" "${@:2}" >/dev/null
}
export XDG_CACHE_HOME="$work/cache"
"$hookrt" emit tool_call --hook "$work/hook.ts" --data "$data" >/dev/null # what is cached stays so
profile emit "$hookrt" emit tool_call --hook "$work/hook.ts" --data "$data"
{
    echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"client":{"name":"order","version":"1"}}}'
    echo '{"jsonrpc":"2.0","id":1,"method":"runner.create","params":{"runner":"main"}}'
    echo "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"hooks.load\",\"params\":{\"runner\":\"main\",\"entries\":[{\"path\":\"$work/hook.ts\"}]}}"
    sleep 30 # it loads
    echo "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"hooks.emit\",\"params\":{\"runner\":\"main\",\"kind\":\"toolCall\",\"event\":{\"type\":\"tool_call\",\"toolName\":\"bash\",\"toolCallId\":\"t\",\"input\":{\"command\":\"ls\"}}}}"
    sleep 10
} | profile serve "$hookrt" serve

sed -nE 's/^c?fn=\([0-9]+\) ([^ ]+)$/\1/p' "$work"/*.out | sort -u >"$work/run"
nm --defined-only "$library" 2>/dev/null | awk '$2 ~ /^[tTwW]$/ && $3 !~ /^Builtins_/ { print $3 }' | sort -u >"$work/of-v8"
comm -12 "$work/run" "$work/of-v8" >"$work/both"
{
    echo "# Functions of V8 that a start of hookrt runs, in the order of the library. Written by scripts/startup-order.sh."
    nm --defined-only --numeric-sort "$hookrt" | awk '{ print $3 }' | awk 'NR == FNR { run[$1]; next } $1 in run && !seen[$1]++' "$work/both" -
} >build/startup-order.txt
say "$(wc -l <build/startup-order.txt) functions in build/startup-order.txt"
