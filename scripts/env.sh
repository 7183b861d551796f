# Sourced by the other scripts: chooses the engine, sees to the system tools, sets `ENGINE` and `FEATURES` (arguments for cargo).
# Bash 3.2 suffices (macOS).

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "hookrt: $*" >&2; }
die() {
    say "$*"
    exit 1
}

command -v cargo >/dev/null || die "cargo is missing: install Rust 1.90 or later (https://rustup.rs)"

. scripts/engine.sh
. scripts/tools.sh

choose_engine
case "$ENGINE" in
v8) FEATURES="" ;;
quickjs) FEATURES="--no-default-features --features quickjs" ;;
esac
need_tools
export ENGINE
